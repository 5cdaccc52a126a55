package io.kubeloop.transport.http.credentials;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ExecConfig;
import io.kubeloop.transport.http.failure.IoFailures;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Credentials from a program (upstream: {@code client-go/plugin/pkg/client/auth/exec}).
 *
 * <p>The program runs when the first request needs it, when what it said has expired, and after a 401. It never gets a
 * terminal to read from.
 */
public final class ExecPlugin implements CredentialSource {

    /** Takes the client certificate that a program has yielded. */
    public interface CertificateSink {
        void show(String certificatePem, String keyPem);
    }

    /** What a clock in nanoseconds can tell, and nobody waits for. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    // E1: at most one run is under way; whoever needs its result meanwhile waits for it (FutureTask, no lock).
    // E2: `current` is replaced only by the thread that won the compare-and-set, which then runs the program; what it
    //     replaces is nothing, or a run that it knows to have ended.
    // E3: a failed run is not kept: the next request tries again.
    // E4: an interrupt of the thread that runs the program is nobody else's failure: one of those who wait runs it.
    // E5: after close() no program runs: run() looks at `closed` after setting `running`, close() kills `running`
    //     after setting `closed`, so that one of the two sees the other. Who waits for the run hears of its end.
    private final AtomicReference<@Nullable FutureTask<ExecCredential>> current = new AtomicReference<>();
    private final ExecConfig exec;
    private final ClientConfig config;
    private final CertificateSink sink;
    private final Duration limit;
    private final Clock clock;
    private volatile @Nullable Process running;
    private volatile boolean closed;

    public ExecPlugin(ExecConfig exec, ClientConfig config, CertificateSink sink, Duration limit, Clock clock) {
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
            // A run since the refused request has done the work; one without a token shows in the certificate.
            boolean otherToken = !Objects.equals(present.authorization(), refused);
            if (otherToken || (refused == null && otherCertificate.getAsBoolean())) {
                return true;
            }
        }
        return !runAfter(task).equals(present);
    }

    /** Runs the program, unless somebody else has done so since that run. */
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
            // Nothing is in the failed run's place, or a run that is somebody else's and may be under way.
            before = null;
        }
    }

    /**
     * Returns what a run has yielded; null if its thread was interrupted, and that thread is not this one.
     *
     * @throws TransportException if the run failed
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
                    Kind.CONFIGURATION, "exec plugin " + exec.command() + ": " + IoFailures.reason(cause), cause);
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
            // FutureTask takes it for a failure of the run; the thread's owner must still hear of it.
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
