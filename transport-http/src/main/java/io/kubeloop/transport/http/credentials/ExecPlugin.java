/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Credentials from a program (upstream: {@code client-go/plugin/pkg/client/auth/exec}). Thread-safe.
 *
 * <p>The program runs when the first request needs a credential, when the credential has expired, and after a 401. It
 * never receives a terminal for input.
 *
 * <p>Requests block while the program runs, at most for the limit of a run; the deadline of a request does not end the
 * run. An interrupt of the thread that runs the program kills the program. An interrupt of a thread that waits for
 * another thread's run ends only that wait.
 */
public final class ExecPlugin implements CredentialSource {

    /** Receives the client certificate that a program has returned. */
    public interface CertificateSink {
        void show(String certificatePem, String keyPem);
    }

    /** The longest limit that fits a clock in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /*
     * Invariants:
     * E1: at most one run is in progress. Other threads that need its result wait for it (FutureTask, no lock).
     * E2: only the thread that won the compare-and-set replaces `current`, and then runs the program. It replaces
     *     nothing, or a run that it knows to have ended.
     * E3: a failed run is not kept: the next request starts another one.
     * E4: an interrupt of the running thread does not fail the other threads: one of the waiting threads runs the
     *     program again.
     * E5: after close() no program runs: run() reads `closed` after it has set `running`, and close() kills `running`
     *     after it has set `closed`. Waiting threads receive the end of the run.
     */
    private final AtomicReference<@Nullable FutureTask<ExecCredential>> current = new AtomicReference<>();
    private final ExecConfig exec;
    private final ClientConfig config;
    private final CertificateSink sink;
    private final Duration limit;
    private final InstantSource clock;
    private volatile @Nullable Process running;
    private volatile boolean closed;

    public ExecPlugin(ExecConfig exec, ClientConfig config, CertificateSink sink, Duration limit, InstantSource clock) {
        ExecCredential.checkVersion(exec);
        this.exec = exec;
        this.config = config;
        this.sink = sink;
        this.limit = limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
        this.clock = clock;
    }

    @Override
    public @Nullable String authorization() {
        FutureTask<ExecCredential> task = current.get();
        if (task != null) {
            ExecCredential credential = await(task);
            if (credential != null && isGood(credential)) {
                return credential.authorization();
            }
        }
        return runAfter(task).authorization();
    }

    private boolean isGood(ExecCredential credential) {
        Instant expires = credential.expires();
        return expires == null || clock.instant().isBefore(expires);
    }

    @Override
    public boolean renew(@Nullable String refused, BooleanSupplier otherCertificate) {
        FutureTask<ExecCredential> task = current.get();
        ExecCredential present = task == null ? null : await(task);
        if (present != null) {
            // A run since the rejected request has renewed the credential. A credential without a token is compared by
            // its certificate.
            boolean otherToken = !Objects.equals(present.authorization(), refused);
            if (otherToken || (refused == null && otherCertificate.getAsBoolean())) {
                return true;
            }
        }
        return !runAfter(task).equals(present);
    }

    /** Runs the program, unless another thread has run it after the given run. Blocks until the run ends. */
    private ExecCredential runAfter(@Nullable FutureTask<ExecCredential> former) {
        FutureTask<ExecCredential> before = former;
        while (true) {
            FutureTask<ExecCredential> task = new FutureTask<>(this::run);
            if (current.compareAndSet(before, task)) {
                task.run();
            } else {
                task = current.get();
            }
            ExecCredential credential = task == null ? null : await(task);
            if (credential != null) {
                return credential;
            }
            // `current` is now empty, or holds the run of another thread, which may be in progress.
            before = null;
        }
    }

    /**
     * Returns the result of a run; null if the running thread was interrupted, and that is not this thread. Blocks
     * until the run ends.
     *
     * @throws TransportException if the run failed, or this thread was interrupted
     */
    private @Nullable ExecCredential await(FutureTask<ExecCredential> task) {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        } catch (ExecutionException e) {
            current.compareAndSet(task, null);
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (closed) {
                throw new TransportException(
                        Kind.CLOSED, "exec plugin " + exec.command() + ": the transport was closed", cause);
            }
            if (cause instanceof InterruptedException) {
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(cause);
                }
                return null;
            }
            throw new TransportException(
                    Kind.CONFIGURATION, "exec plugin " + exec.command() + ": " + IoErrors.reason(cause), cause);
        }
    }

    private TransportException interrupted(Throwable cause) {
        return new TransportException(Kind.CLOSED, "interrupted while exec plugin " + exec.command() + " runs", cause);
    }

    @Override
    public void close() {
        closed = true;
        Process process = running;
        if (process != null) {
            ExecRun.kill(process);
        }
    }

    private ExecCredential run() throws IOException, InterruptedException {
        if (closed) {
            throw new IOException("not run");
        }
        List<String> command = new ArrayList<>();
        command.add(exec.command());
        command.addAll(exec.args());
        ProcessBuilder builder = new ProcessBuilder(command);
        exec.env().forEach(variable -> builder.environment().put(variable.name(), variable.value()));
        builder.environment().put("KUBERNETES_EXEC_INFO", ExecCredential.request(exec, config));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            String why = KubeconfigDefaults.orEmpty(e.getMessage());
            throw new IOException(
                    "cannot be run: " + (why.contains("No such file") ? "there is no such program" : why) + hint(), e);
        }
        running = process;
        if (closed) {
            ExecRun.kill(process);
        }
        byte[] output;
        try {
            output = ExecRun.outputOf(process, limit);
        } catch (InterruptedException e) {
            // FutureTask treats it as a failure of the run; the owner of the thread must still see the interrupt.
            Thread.currentThread().interrupt();
            throw e;
        } finally {
            running = null;
        }
        ExecCredential credential = ExecCredential.parse(new String(output, StandardCharsets.UTF_8), exec.apiVersion());
        if (!credential.certificate().isEmpty()) {
            try {
                sink.show(credential.certificate(), credential.key());
            } catch (TransportException e) {
                throw new IOException("answered with a certificate that cannot be used: " + e.getMessage(), e);
            }
        }
        return credential;
    }

    private String hint() {
        return exec.installHint().isEmpty() ? "" : ". " + ExecRun.printable(exec.installHint());
    }
}
