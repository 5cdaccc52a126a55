/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.apiserver.http.ContainerHost.RefusedException;
import io.kubeloop.apiserver.http.streams.CommandConnection;
import io.kubeloop.apiserver.http.streams.StreamServer;
import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves logs, commands and connections from a host in this process, as a kubelet does. Thread-safe. */
final class HostedContainers {

    private static final Logger log = LoggerFactory.getLogger(HostedContainers.class);

    private static final JsonObject SUCCESS =
            JsonObject.EMPTY.with("metadata", JsonObject.EMPTY).with("status", "Success");

    private final ContainerHost host;
    private final StreamServer streams;
    private final OpenWatches open;

    HostedContainers(ContainerHost host, StreamServer streams, OpenWatches open) {
        this.host = host;
        this.streams = streams;
        this.open = open;
    }

    /** Interrupts the thread that has created it, until {@link #close}. */
    private static final class Interruption implements AutoCloseable {

        /** No interrupt comes after close() has cleared the flag. */
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private @Nullable Thread thread = Thread.currentThread();

        void interrupt() {
            lock.lock();
            try {
                if (thread != null) {
                    thread.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            boolean isInterrupted;
            lock.lock();
            try {
                thread = null;
                isInterrupted = Thread.interrupted();
            } finally {
                lock.unlock();
            }
            if (isInterrupted) {
                log.trace("The client left before its request ended");
            }
        }
    }

    /** Begins the response at the first byte, so a refusal can still be answered before. */
    private static final class LogOutput extends OutputStream {

        private final HttpApiExchange exchange;
        private @Nullable OutputStream body;

        LogOutput(HttpApiExchange exchange) {
            this.exchange = exchange;
        }

        private OutputStream body() throws IOException {
            if (body == null) {
                body = exchange.startStream(200, "text/plain");
            }
            return body;
        }

        @Override
        public void write(int b) throws IOException {
            body().write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            body().write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            body().flush();
        }

        @Override
        public void close() throws IOException {
            body().close();
        }
    }

    /** Returns whether the host stands for the containers of a pod. */
    boolean hosts(JsonObject pod) {
        return host.hosts(pod);
    }

    void log(HttpApiExchange exchange, ContainerHost.Container container, ContainerHost.LogOptions options)
            throws IOException {
        try (Interruption interruption = new Interruption()) {
            OpenWatches.Watch entry = open.add(exchange::clientHasLeft, interruption::interrupt);
            try {
                LogOutput out = new LogOutput(exchange);
                host.log(container, options, out);
                out.close(); // not after a failure: the client must not take a part for the whole
            } catch (RefusedException e) {
                throw StatusException.badRequest(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                throw new InterruptedIOException("the client has left, or the server closes");
            } finally {
                open.remove(entry);
            }
        }
    }

    /** Executes the command in the query, or attaches to the container if there is none. */
    void command(HttpApiExchange exchange, ContainerHost.Container container, boolean attaches) throws IOException {
        Map<String, String> query = exchange.query();
        CommandConnection.Wanted wanted = new CommandConnection.Wanted(
                LogQuery.flag(query, "stdin"),
                LogQuery.flag(query, "stdout"),
                LogQuery.flag(query, "stderr"),
                LogQuery.flag(query, "tty"));
        if (!wanted.in() && !wanted.out() && !wanted.err()) {
            throw StatusException.badRequest("you must specify at least 1 of stdin, stdout, stderr");
        }
        try {
            host.requireRunning(container);
        } catch (RefusedException e) {
            throw StatusException.internalError(String.valueOf(e.getMessage()));
        }
        List<String> words = exchange.queryValues("command");
        try (Interruption interruption = new Interruption()) {
            CommandConnection connection = streams.command(exchange.wire(), wanted, interruption::interrupt);
            if (connection == null) {
                return;
            }
            OpenWatches.Watch entry = open.add(() -> false, interruption::interrupt);
            try (connection) {
                connection.finish(run(container, connection, attaches ? null : words, wanted.tty()));
            } catch (InterruptedException e) {
                log.debug("The client of a command has left");
            } finally {
                open.remove(entry);
            }
        }
    }

    /** Returns the status of a command that has ended. */
    private JsonObject run(
            ContainerHost.Container container, CommandConnection connection, @Nullable List<String> words, boolean tty)
            throws IOException, InterruptedException {
        ContainerHost.Streams to = new ContainerHost.Streams(connection.in(), connection.out(), connection.err());
        try {
            int code = words == null
                    ? host.attach(container, to)
                    : host.exec(container, new ContainerHost.Command(words, tty), to);
            return code == 0 ? SUCCESS : exited(code);
        } catch (RefusedException e) {
            return StatusException.internalError("error executing command in container: " + e.getMessage())
                    .status();
        } catch (RuntimeException e) {
            log.warn("A command in a container failed: words={}", words, e);
            return StatusException.internalError("error executing command in container: " + e)
                    .status();
        }
    }

    private static JsonObject exited(int code) {
        JsonObject cause = JsonObject.EMPTY.with("reason", "ExitCode").with("message", Integer.toString(code));
        return JsonObject.EMPTY
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Failure")
                .with("message", "command terminated with non-zero exit code: exit status " + code)
                .with("reason", "NonZeroExitCode")
                .with("details", JsonObject.of("causes", JsonArray.of(cause)));
    }

    void forward(HttpApiExchange exchange, JsonObject pod) throws IOException {
        try {
            streams.forward(
                    exchange.wire(), exchange.queryValues("ports"), (port, in, out) -> answer(pod, port, in, out));
        } catch (IllegalArgumentException e) {
            throw StatusException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** A port of a pod, as the backend of a proxy. */
    private final class PodPort implements BackendConnection.Backend {

        private final JsonObject pod;
        private final int port;
        private final boolean secure;

        PodPort(JsonObject pod, int port, boolean secure) {
            this.pod = pod;
            this.port = port;
            this.secure = secure;
        }

        @Override
        public String authority() {
            return new BackendConnection.Server(pod.string("status", "podIP"), port, null).authority();
        }

        @Override
        public BackendConnection open(Duration timeout) throws BackendException {
            if (secure) { // no simulated port has a certificate
                throw new BackendException("http: server gave HTTP response to HTTPS client");
            }
            return streams.connect(port, (number, in, out) -> answer(pod, number, in, out));
        }
    }

    /** Returns a port of a pod that the host stands for. */
    BackendConnection.Backend backend(JsonObject pod, int port, boolean secure) {
        return new PodPort(pod, port, secure);
    }

    private @Nullable String answer(JsonObject pod, int port, InputStream in, OutputStream out) throws IOException {
        String failed = "error forwarding port " + port + " to pod " + pod.string("metadata", "name") + ", uid "
                + pod.string("metadata", "uid") + ": ";
        try (Interruption interruption = new Interruption()) {
            OpenWatches.Watch entry = open.add(() -> false, interruption::interrupt);
            try {
                host.forward(pod, port, in, out);
                return null;
            } catch (RefusedException e) {
                return failed + e.getMessage();
            } catch (InterruptedException e) {
                return failed + "the server closes";
            } catch (RuntimeException e) {
                log.warn("A connection to a pod failed: port={}", port, e);
                return failed + e;
            } finally {
                open.remove(entry);
            }
        }
    }
}
