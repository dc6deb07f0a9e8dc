package ai.hanzo.dev.sandbox;

/** The two streams of a command. */
public enum OutputStreamName {
    STDOUT,
    STDERR
}
