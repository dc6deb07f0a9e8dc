package ai.hanzo.dev.host.surface.rest;

import java.util.List;

/** Whether the host can take work now. Any thread; answers at once. */
public interface Readiness {
    /** Empty when ready; else what is missing, a sentence each, without secrets. */
    List<String> missing();
}
