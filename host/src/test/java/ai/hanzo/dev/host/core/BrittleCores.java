package ai.hanzo.dev.host.core;

import ai.hanzo.dev.protocol.Bytes;

/** Real cores, of which the one that is there when {@link #breakNext} is called traps at a step. */
public final class BrittleCores implements Cores {
    private final Cores real;
    private int left;

    /** Around {@code real}, which is closed with this. */
    public BrittleCores(Cores real) {
        this.real = real;
    }

    /** The next {@code steps} steps trap. */
    public void breakNext(int steps) {
        left = steps;
    }

    @Override
    public CoreDigest current() {
        return real.current();
    }

    @Override
    public boolean holds(CoreDigest digest) {
        return real.holds(digest);
    }

    @Override
    public Core open(CoreDigest digest, Bytes config) {
        return new Brittle(real.open(digest, config));
    }

    @Override
    public Core restore(CoreDigest digest, Bytes snapshot) {
        return new Brittle(real.restore(digest, snapshot));
    }

    @Override
    public void close() {
        real.close();
    }

    private final class Brittle implements Core {
        private final Core core;
        private boolean broken;

        Brittle(Core core) {
            this.core = core;
        }

        @Override
        public CoreDigest digest() {
            return core.digest();
        }

        @Override
        public Bytes step(Bytes event) {
            if (broken) {
                throw CoreException.poisoned();
            }
            if (left > 0) {
                left--;
                broken = true;
                core.step(event); // whatever it did is lost with it
                throw CoreException.panicked(new IllegalStateException("unreachable"));
            }
            return core.step(event);
        }

        @Override
        public Bytes snapshot() {
            return core.snapshot();
        }

        @Override
        public void close() {
            core.close();
        }
    }
}
