/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import io.kubeloop.api.ObjectName;
import io.kubeloop.apiserver.http.ContainerHost;
import io.kubeloop.apiserver.http.ContainerHost.LogOptions;
import io.kubeloop.apiserver.http.ContainerHost.LogRange;
import io.kubeloop.apiserver.http.ContainerHost.RefusedException;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the log of one container for one request. Confined to one thread. */
final class LogReader {

    /** How often a follower looks whether the container has ended. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'").withZone(ZoneOffset.UTC);

    private final ContainerLines logs;
    private final Function<ObjectName, @Nullable JsonObject> pods;
    private final JsonObject pod;
    private final ObjectName name;
    private final String container;

    LogReader(ContainerLines logs, Function<ObjectName, @Nullable JsonObject> pods, ContainerHost.Container container) {
        this.logs = logs;
        this.pods = pods;
        this.pod = container.pod();
        this.name = SimulatedContainers.nameOf(pod);
        this.container = container.name();
    }

    /** Writes what the options select. With {@code follow}, blocks until the container has ended. */
    void write(LogOptions options, OutputStream out) throws IOException, InterruptedException, RefusedException {
        SimulatedContainer state = SimulatedContainer.of(pod, container);
        List<ContainerLines.Line> lines = new ArrayList<>();
        long known = logs.count(name, container);
        if (options.previous()) {
            lines.addAll(previous(state));
        } else {
            requireStarted(state);
            lines.addAll(begin(
                    state, state.status().string("state", state.isRunning() ? "running" : "terminated", "startedAt")));
            lines.addAll(logs.from(name, container, 0));
            lines.addAll(end(state.status().object("state", "terminated")));
        }
        Limited limited = new Limited(out, options);
        selected(lines, options).forEach(limited::add);
        limited.send();
        if (options.follow() && !options.previous() && state.isRunning()) {
            follow(limited, options, known);
        }
    }

    /** Follows the log and returns the exit code of the container. */
    int attach(ContainerHost.Streams streams) throws IOException, InterruptedException {
        LogOptions all = new LogOptions(false, true, false, new LogRange(null, null, null, null), "All");
        return follow(new Limited(streams.out(), all), all, logs.count(name, container));
    }

    private int follow(Limited out, LogOptions options, long since) throws IOException, InterruptedException {
        long known = since;
        while (out.isOpen()) {
            JsonObject current = pods.apply(name);
            boolean isSame =
                    current != null && current.string("metadata", "uid").equals(pod.string("metadata", "uid"));
            SimulatedContainer state =
                    SimulatedContainer.of(isSame && current != null ? current : JsonObject.EMPTY, container);
            List<ContainerLines.Line> added = new ArrayList<>(logs.from(name, container, known));
            known += added.size();
            added.addAll(end(state.status().object("state", "terminated")));
            added.stream().filter(line -> isOf(line, options)).forEach(out::add);
            out.send();
            if (!state.isRunning()) {
                return state.exitCode();
            }
            logs.awaitChange(name, container, known, LOOK);
        }
        return 0;
    }

    private void requireStarted(SimulatedContainer state) throws RefusedException {
        if (!state.isRunning() && !state.hasTerminated()) {
            String reason = state.status().string("state", "waiting", "reason");
            throw new RefusedException("container \"" + container + "\" in pod \"" + name.name()
                    + "\" is waiting to start: " + (reason.isEmpty() ? "ContainerCreating" : reason));
        }
    }

    private List<ContainerLines.Line> previous(SimulatedContainer state) throws RefusedException {
        JsonObject last = state.status().object("lastState", "terminated");
        if (last.isEmpty()) {
            throw new RefusedException(
                    "previous terminated container \"" + container + "\" in pod \"" + name.name() + "\" not found");
        }
        List<ContainerLines.Line> lines = new ArrayList<>(begin(state, last.string("startedAt")));
        lines.addAll(end(last));
        return lines;
    }

    private List<ContainerLines.Line> begin(SimulatedContainer state, String startedAt) {
        Instant time = time(startedAt);
        List<ContainerLines.Line> lines = new ArrayList<>();
        lines.add(new ContainerLines.Line(time, "Stdout", container + " started in pod " + name.name()));
        lines.add(new ContainerLines.Line(
                time, "Stdout", container + " image " + state.spec().string("image")));
        return lines;
    }

    private List<ContainerLines.Line> end(JsonObject terminated) {
        return terminated.isEmpty()
                ? List.of()
                : List.of(new ContainerLines.Line(
                        time(terminated.string("finishedAt")),
                        "Stdout",
                        container + " exited with code " + terminated.number("exitCode")));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private static boolean isOf(ContainerLines.Line line, LogOptions options) {
        return options.stream().equals("All") || line.stream().equals(options.stream());
    }

    private List<ContainerLines.Line> selected(List<ContainerLines.Line> lines, LogOptions options) {
        LogRange range = options.range();
        Long seconds = range.sinceSeconds();
        Instant since = seconds == null ? range.sinceTime() : logs.now().minusSeconds(seconds);
        List<ContainerLines.Line> kept = lines.stream()
                .filter(line ->
                        isOf(line, options) && (since == null || !line.time().isBefore(since)))
                .toList();
        Long tail = range.tailLines();
        return tail == null || tail >= kept.size()
                ? kept
                : kept.subList(kept.size() - Math.toIntExact(tail), kept.size());
    }

    /** Sends lines up to a number of bytes. */
    private static final class Limited {

        private final OutputStream out;
        private final boolean timestamps;
        private final StringBuilder pending = new StringBuilder();
        private long left;

        Limited(OutputStream out, LogOptions options) {
            this.out = out;
            this.timestamps = options.timestamps();
            Long limit = options.range().limitBytes();
            this.left = limit == null ? Long.MAX_VALUE : limit;
        }

        void add(ContainerLines.Line line) {
            if (timestamps) {
                pending.append(TIME.format(line.time())).append(' ');
            }
            pending.append(line.text()).append('\n');
        }

        void send() throws IOException {
            byte[] bytes = pending.toString().getBytes(StandardCharsets.UTF_8);
            pending.setLength(0);
            int length = (int) Math.min(bytes.length, left);
            left -= length;
            out.write(bytes, 0, length);
            out.flush();
        }

        boolean isOpen() {
            return left > 0;
        }
    }
}
