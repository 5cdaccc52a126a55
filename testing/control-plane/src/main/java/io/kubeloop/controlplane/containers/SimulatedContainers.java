/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import io.kubeloop.api.ObjectName;
import io.kubeloop.apiserver.http.ContainerHost;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The insides of simulated containers, for {@code kubectl logs}, {@code exec}, {@code cp}, {@code attach} and {@code
 * port-forward}. A test scripts them; without a script they have useful defaults. Thread-safe.
 *
 * <ul>
 *   <li>A log begins with lines about the start of the container; {@link #log} adds lines.
 *   <li>A command runs in a small set of programs: {@code cat}, {@code date}, {@code echo}, {@code env}, {@code false},
 *       {@code hostname}, {@code ls}, {@code mkdir}, {@code rm}, {@code sh}, {@code sleep}, {@code tar}, {@code test}
 *       and {@code true}. Each container has files in memory, at most 16 MiB, and all containers together at most a
 *       sixteenth of the heap or 8 MiB. {@link #onExec} adds commands.
 *   <li>To attach to a container is to follow its log.
 *   <li>A port answers HTTP requests with a text, and returns all other bytes. {@link #onForward} replaces that.
 * </ul>
 */
public final class SimulatedContainers implements ContainerHost {

    /** Executes commands. Runs on a thread of the HTTP front end; an interrupt ends it, because the client has left. */
    @FunctionalInterface
    public interface ExecHandler {

        /**
         * Executes a command.
         *
         * @return the exit code; empty for a command that this handler does not know
         */
        OptionalInt exec(Execution execution) throws IOException, InterruptedException;
    }

    /**
     * A command in a container.
     *
     * @param pod the name of the pod
     * @param container the name of the container
     * @param command the program and its arguments
     * @param stdin what the client sends; empty if it sends nothing
     * @param stdout the standard output
     * @param stderr the standard error
     */
    public record Execution(
            ObjectName pod,
            String container,
            List<String> command,
            InputStream stdin,
            OutputStream stdout,
            OutputStream stderr) {}

    /** Answers connections to ports. Runs on a thread of the HTTP front end. */
    @FunctionalInterface
    public interface ForwardHandler {

        /**
         * Answers a connection, which closes at the end.
         *
         * @return whether this handler answers for the port
         */
        boolean forward(Connection connection) throws IOException, InterruptedException;
    }

    /**
     * A connection to a port of a pod.
     *
     * @param pod the name of the pod
     * @param port the port
     * @param input what the client sends
     * @param output what the client receives
     */
    public record Connection(ObjectName pod, int port, InputStream input, OutputStream output) {}

    private final Function<ObjectName, @Nullable JsonObject> pods;
    private final BooleanSupplier running;
    private final ContainerLines logs;
    private final Programs programs;
    private final List<ExecHandler> execHandlers = new CopyOnWriteArrayList<>();
    private final List<ForwardHandler> forwardHandlers = new CopyOnWriteArrayList<>();

    /**
     * Creates the containers of a control plane.
     *
     * @param pods returns a pod as it is stored; null if it does not exist
     * @param running whether the simulated kubelet runs
     * @param clock the time of lines
     */
    public SimulatedContainers(Function<ObjectName, @Nullable JsonObject> pods, BooleanSupplier running, Clock clock) {
        this.pods = pods;
        this.running = running;
        this.logs = new ContainerLines(clock);
        this.programs = new Programs(pods, clock);
    }

    /**
     * Adds lines to the standard output in the log of a container, also of one that does not exist yet.
     *
     * @param text one or more lines
     */
    public void log(ObjectName pod, String container, String text) {
        logs.add(pod, container, "Stdout", text);
    }

    /** Adds lines to the standard error in the log of a container; see {@link #log}. */
    public void logError(ObjectName pod, String container, String text) {
        logs.add(pod, container, "Stderr", text);
    }

    /** Adds a handler of commands, which is called before the earlier ones and before the defaults. */
    public void onExec(ExecHandler handler) {
        execHandlers.add(0, handler);
    }

    /** Adds a handler of connections to ports, which is called before the earlier ones and before the default. */
    public void onForward(ForwardHandler handler) {
        forwardHandlers.add(0, handler);
    }

    @Override
    public boolean hosts(JsonObject pod) {
        return true; // the simulated kubelet reports every pod
    }

    @Override
    public void log(Container container, LogOptions options, OutputStream out)
            throws IOException, InterruptedException, RefusedException {
        requireKubelet();
        new LogReader(logs, pods, container).write(options, out);
    }

    @Override
    public void requireRunning(Container container) throws RefusedException {
        requireKubelet();
        if (!SimulatedContainer.of(container).isRunning()) {
            throw new RefusedException("container not found (\"" + container.name() + "\")");
        }
    }

    private void requireKubelet() throws RefusedException {
        if (!running.getAsBoolean()) {
            throw new RefusedException("error dialing backend: the simulated kubelet has stopped");
        }
    }

    @Override
    public int exec(Container container, Command command, Streams streams)
            throws IOException, InterruptedException, RefusedException {
        Execution execution = new Execution(
                nameOf(container.pod()), container.name(), command.words(), streams.in(), streams.out(), streams.err());
        for (ExecHandler handler : execHandlers) {
            OptionalInt code = handler.exec(execution);
            if (code.isPresent()) {
                return code.getAsInt();
            }
        }
        return programs.run(container, command, streams);
    }

    @Override
    public int attach(Container container, Streams streams) throws IOException, InterruptedException, RefusedException {
        return new LogReader(logs, pods, container).attach(streams);
    }

    @Override
    public void forward(JsonObject pod, int port, InputStream in, OutputStream out)
            throws IOException, InterruptedException, RefusedException {
        requireKubelet();
        Connection connection = new Connection(nameOf(pod), port, in, out);
        for (ForwardHandler handler : forwardHandlers) {
            if (handler.forward(connection)) {
                return;
            }
        }
        DefaultPort.answer(connection);
    }

    static ObjectName nameOf(JsonObject pod) {
        return new ObjectName(pod.string("metadata", "namespace"), pod.string("metadata", "name"));
    }
}
