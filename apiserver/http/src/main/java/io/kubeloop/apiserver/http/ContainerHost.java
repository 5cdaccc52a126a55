/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands for the containers of some nodes in this process, such as a simulated kubelet. Implementations must be
 * thread-safe. The methods may block; an interrupt or an exception of a stream ends them, because the client has
 * disconnected.
 */
public interface ContainerHost {

    /** Returns whether this host stands for the containers of a pod, which has a node. */
    boolean hosts(JsonObject pod);

    /**
     * Writes the log of a container. A flush sends what has been written.
     *
     * @param out receives the lines; the response begins at the first write or flush
     * @throws RefusedException if the container has no such log
     */
    void log(Container container, LogOptions options, OutputStream out)
            throws IOException, InterruptedException, RefusedException;

    /**
     * Checks that commands can be executed in a container, before the client's connection is upgraded.
     *
     * @throws RefusedException if it does not run
     */
    void requireRunning(Container container) throws RefusedException;

    /**
     * Executes a command in a container, and returns its exit code.
     *
     * @throws RefusedException if the container has no such command
     */
    int exec(Container container, Command command, Streams streams)
            throws IOException, InterruptedException, RefusedException;

    /**
     * Connects a client with the main process of a container, and returns its exit code.
     *
     * @throws RefusedException if the container does not run
     */
    int attach(Container container, Streams streams) throws IOException, InterruptedException, RefusedException;

    /**
     * Answers a connection to a port of a pod. The connection closes when the method returns.
     *
     * @throws RefusedException if nothing listens on the port
     */
    void forward(JsonObject pod, int port, InputStream in, OutputStream out)
            throws IOException, InterruptedException, RefusedException;

    /**
     * A container.
     *
     * @param pod the pod as it is stored
     * @param name the name of the container, which the pod has
     */
    record Container(JsonObject pod, String name) {}

    /**
     * The part of a log that a client wants.
     *
     * @param previous whether to show the container before its latest restart
     * @param follow whether to wait for more lines until the container ends
     * @param timestamps whether each line begins with its time
     * @param range which lines
     * @param stream {@code All}, {@code Stdout} or {@code Stderr}
     */
    record LogOptions(boolean previous, boolean follow, boolean timestamps, LogRange range, String stream) {}

    /**
     * Limits of a log; null for none.
     *
     * @param sinceSeconds the age of the oldest line
     * @param sinceTime the time of the oldest line
     * @param tailLines the number of lines at the end of the log
     * @param limitBytes the number of bytes to send
     */
    record LogRange(
            @Nullable Long sinceSeconds,
            @Nullable Instant sinceTime,
            @Nullable Long tailLines,
            @Nullable Long limitBytes) {}

    /**
     * A command.
     *
     * @param words the program and its arguments
     * @param tty whether it has a terminal
     */
    record Command(List<String> words, boolean tty) {

        /** Copies the words. */
        public Command {
            words = List.copyOf(words);
        }
    }

    /**
     * The streams of a process.
     *
     * @param in what the client sends; empty if it sends nothing
     * @param out the standard output
     * @param err the standard error
     */
    record Streams(InputStream in, OutputStream out, OutputStream err) {}

    /** A request that the host does not fulfill; the message is for the client. */
    final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        /** Creates a refusal. */
        public RefusedException(String message) {
            super(message);
        }
    }
}
