package ai.hanzo.dev.host.surface.rest;

import ai.hanzo.dev.host.local.HostFile;
import ai.hanzo.dev.host.local.HostServices;
import ai.hanzo.dev.host.local.LocalException;
import ai.hanzo.dev.host.local.Serve;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.Ops;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a host process: open the services, listen, write itself down, wait for the end, and
 * close in reverse. The end is a signal, idleness, or the services' own wish. One thread.
 */
public final class Serving {
    private static final Duration LOOK = Duration.ofSeconds(15);

    /** How long a shutdown may take before the process ends anyway; sessions are safe by then. */
    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final Serve serve;
    private final HostServices.Opener opener;
    private final PrintStream out;
    private final Optional<Path> givenToken;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** With a new token. */
    public Serving(Serve serve, HostServices.Opener opener, PrintStream out) {
        this(serve, opener, out, Optional.empty());
    }

    /**
     * The same.
     *
     * @param givenToken the file of a token that several hosts have in common
     */
    public Serving(
            Serve serve, HostServices.Opener opener, PrintStream out, Optional<Path> givenToken) {
        this.serve = serve;
        this.opener = opener;
        this.out = out;
        this.givenToken = givenToken;
    }

    /**
     * Serves until told to stop.
     *
     * @throws LocalException when the state directory cannot be used or the port is taken
     */
    public void run() throws InterruptedException {
        serve.home().ensure();
        System.setProperty("hanzo.log", serve.home().hostLog().toString());
        System.setProperty("logback.configurationFile", "logback-host.xml");
        Logger log = LoggerFactory.getLogger(Serving.class);
        Thread hook = new Thread(this::stopAndWait, "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        out.println("hanzo dev starts, with its state in " + serve.home().path());
        try (HostServices services = opener.open(serve, this::declaredDead);
                RestServer server = listen(services)) {
            URI address = URI.create("http://" + host() + ":" + server.port());
            HostFile file =
                    HostFile.ofThisProcess(address, serve.home().tokenFile(), serve.build());
            log.atInfo()
                    .addKeyValue("address", address)
                    .addKeyValue("build", serve.build())
                    .log("host serves");
            file.publish(serve.home());
            out.println("hanzo dev serves at " + address);
            out.println("token in " + serve.home().tokenFile());
            await(server, services);
            log.atInfo().log("host stops");
            file.withdraw(serve.home());
        } catch (IOException e) {
            throw LocalException.home(serve.home().path(), String.valueOf(e.getMessage()), e);
        } finally {
            stopped.countDown();
        }
    }

    private void declaredDead() {
        out.println(
                "hanzo dev ends: it stood still for so long that other hosts took its sessions over."
                        + " Start it again.");
        stop.countDown();
    }

    private String host() {
        return serve.address().contains(":") ? "[" + serve.address() + "]" : serve.address();
    }

    private RestServer listen(HostServices services) throws IOException {
        String token =
                givenToken.isPresent()
                        ? HostFile.givenToken(serve.home(), givenToken.get())
                        : HostFile.newToken(serve.home(), new SecureRandom());
        services.keepSecret(token);
        try {
            return RestServer.start(
                    RestConfig.loopback(serve.port()).bind(serve.address(), serve.names()),
                    new RestServer.Parts(
                            Ops.load(),
                            services.service(),
                            services.streams(),
                            services.shells(),
                            services.files(),
                            new BearerToken(token, Caller.localOwner()),
                            services::missing,
                            Clock.systemUTC()));
        } catch (OpException e) {
            throw LocalException.portTaken(e.detail() + e.next().map(n -> " " + n).orElse(""));
        }
    }

    private void await(RestServer server, HostServices services) throws InterruptedException {
        Optional<Duration> idleExit = serve.idleExit();
        long lookMillis = idleExit.filter(i -> i.compareTo(LOOK) < 0).orElse(LOOK).toMillis();
        while (!stop.await(lookMillis, TimeUnit.MILLISECONDS)) {
            if (idleExit.isPresent()
                    && server.idle().compareTo(idleExit.get()) >= 0
                    && !services.busy()) {
                return;
            }
        }
    }

    /** The JVM ends when all its hooks have returned, so this one waits for {@link #run}. */
    private void stopAndWait() {
        stop.countDown();
        try {
            stopped.await(DRAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
