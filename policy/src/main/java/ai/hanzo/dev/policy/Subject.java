package ai.hanzo.dev.policy;

import ai.hanzo.dev.policy.shell.Command;
import java.util.List;
import java.util.Optional;

/** One thing that a rule speaks of or not. An operation has one or more. */
sealed interface Subject {

    /** As people read it. */
    String text();

    /** The operation that it is part of. */
    OpKind op();

    /**
     * A path.
     *
     * @param path relative to the workspace if it is in it, else absolute
     */
    record OfPath(OpKind op, String path, boolean isOutside) implements Subject {
        @Override
        public String text() {
            return op.text() + " " + path;
        }
    }

    /** One command of an exec. */
    record OfCommand(Command command, boolean isOutside) implements Subject {
        @Override
        public OpKind op() {
            return OpKind.EXEC;
        }

        @Override
        public String text() {
            return command.text();
        }
    }

    /** A git action. */
    record OfGit(GitUse use, List<String> argv) implements Subject {
        @Override
        public OpKind op() {
            return OpKind.GIT;
        }

        @Override
        public String text() {
            return "git " + String.join(" ", argv);
        }
    }

    /** A web request; no address if it cannot be judged by its letters. */
    record OfUrl(String method, String url, Optional<UrlPattern.Address> address)
            implements Subject {
        @Override
        public OpKind op() {
            return OpKind.BROWSE;
        }

        @Override
        public String text() {
            return method + " " + url;
        }
    }

    /** A message to a channel. */
    record OfChannel(String channel) implements Subject {
        @Override
        public OpKind op() {
            return OpKind.SEND;
        }

        @Override
        public String text() {
            return "send to " + channel;
        }
    }

    /** Files that the host could not name. Only a rule without paths speaks of them surely. */
    record Unknown(OpKind op) implements Subject {
        @Override
        public String text() {
            return op.text();
        }
    }

    /** An operation without a part that rules look at. */
    record Plain(OpKind op) implements Subject {
        @Override
        public String text() {
            return op.text();
        }
    }
}
