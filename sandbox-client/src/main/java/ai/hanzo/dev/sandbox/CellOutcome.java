package ai.hanzo.dev.sandbox;

/** What an effect came to, as the cell recorded it and repeats it until acknowledged. */
public sealed interface CellOutcome permits ExecOutcome, FileOutcome {}
