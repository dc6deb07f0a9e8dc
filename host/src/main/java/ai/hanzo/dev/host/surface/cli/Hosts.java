package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.local.Endpoint;

/** Gives the host that a command talks to, again after the host went away. One thread at a time. */
interface Hosts {
    /** A host that is ready; may start one. */
    Endpoint ensure();
}
