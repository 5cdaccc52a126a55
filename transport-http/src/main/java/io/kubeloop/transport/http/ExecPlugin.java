package io.kubeloop.transport.http;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Credentials from a program (upstream: {@code client-go/plugin/pkg/client/auth/exec}).
 *
 * <p>The program runs when the first request needs it, when what it said has expired, and after a 401. It may take as long
 * as it likes, as upstream: it may be waiting for a person at a browser. It never gets a terminal to read from; what it
 * writes to its standard error goes to that of this process.
 */
final class ExecPlugin implements CredentialSource {

    private static final int MAX_OUTPUT = 1 << 20;

    // E1: at most one run is under way; whoever needs its result meanwhile waits for it (FutureTask, no lock).
    // E2: `current` is replaced only by the thread that won the compare-and-set, which then runs the program.
    // E3: a failed run is not kept: the next request tries again.
    private final AtomicReference<@Nullable FutureTask<ExecCredential>> current = new AtomicReference<>();
    private final ExecConfig exec;
    private final ClientConfig config;
    private final ClientIdentity identity;
    private final Runnable onNewCertificate;
    private final Clock clock;

    ExecPlugin(ExecConfig exec, ClientConfig config, ClientIdentity identity, Runnable onNewCertificate) {
        this(exec, config, identity, onNewCertificate, Clock.systemUTC());
    }

    ExecPlugin(ExecConfig exec, ClientConfig config, ClientIdentity identity, Runnable onNewCertificate, Clock clock) {
        ExecCredential.checkVersion(exec);
        this.exec = exec;
        this.config = config;
        this.identity = identity;
        this.onNewCertificate = onNewCertificate;
        this.clock = clock;
    }

    @Override
    public @Nullable String authorization() {
        FutureTask<ExecCredential> task = current.get();
        if (task != null) {
            ExecCredential credential = await(task);
            Instant expires = credential.expires();
            if (expires == null || clock.instant().isBefore(expires)) {
                return credential.authorization();
            }
        }
        return runAfter(task).authorization();
    }

    @Override
    public boolean renew(@Nullable String refused) {
        FutureTask<ExecCredential> task = current.get();
        if (task != null) {
            ExecCredential present = await(task);
            if (present.authorization() != null && !present.authorization().equals(refused)) {
                return true;
            }
        }
        ExecCredential before = task == null ? null : await(task);
        return !runAfter(task).equals(before);
    }

    /** Runs the program, unless somebody else has done so since that run. */
    private ExecCredential runAfter(@Nullable FutureTask<ExecCredential> former) {
        FutureTask<ExecCredential> task = new FutureTask<>(this::run);
        if (current.compareAndSet(former, task)) {
            task.run();
            return await(task);
        }
        FutureTask<ExecCredential> other = current.get();
        return other == null ? runAfter(null) : await(other);
    }

    private ExecCredential await(FutureTask<ExecCredential> task) {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(Kind.CLOSED, "interrupted while exec plugin " + exec.command() + " runs", e);
        } catch (ExecutionException e) {
            current.compareAndSet(task, null);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new TransportException(
                    Kind.CONFIGURATION, "exec plugin " + exec.command() + ": " + Failures.reason(cause), cause);
        }
    }

    private ExecCredential run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(exec.command());
        command.addAll(exec.args());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        exec.env().forEach(variable -> builder.environment().put(variable.name(), variable.value()));
        builder.environment().put("KUBERNETES_EXEC_INFO", ExecCredential.request(exec, config));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException("cannot be run: " + e.getMessage() + hint(), e);
        }
        byte[] output;
        try {
            process.getOutputStream().close();
            output = process.getInputStream().readNBytes(MAX_OUTPUT);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("ended with code " + code + "; see its messages on standard error");
            }
        } finally {
            process.destroy();
        }
        ExecCredential credential = ExecCredential.parse(new String(output, StandardCharsets.UTF_8), exec.apiVersion());
        if (!credential.certificate().isEmpty() && identity.set(credential.certificate(), credential.key())) {
            onNewCertificate.run();
        }
        return credential;
    }

    /** The hint comes from a file and goes to a terminal: control characters stay out. */
    private String hint() {
        return exec.installHint().isEmpty() ? "" : ". " + exec.installHint().replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
    }
}
