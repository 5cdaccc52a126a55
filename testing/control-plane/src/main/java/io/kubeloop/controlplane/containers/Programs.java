/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.apiserver.http.ContainerHost;
import io.kubeloop.apiserver.http.ContainerHost.RefusedException;
import io.kubeloop.apiserver.http.ContainerHost.Streams;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The programs of a container without a script. Thread-safe. */
final class Programs {

    /** The most containers that have files at the same time; the one that was used least recently loses them. */
    private static final int MOST_CONTAINERS = 100;

    private static final int LONGEST_LINE = 64 << 10;
    private static final int NOT_FOUND = 127;

    private final Clock clock;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Key, MemoryFiles> files = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, MemoryFiles> eldest) {
            boolean isTooMuch = size() > MOST_CONTAINERS;
            if (isTooMuch) {
                eldest.getValue().close();
            }
            return isTooMuch;
        }
    };

    private final Function<ObjectName, @Nullable JsonObject> pods;

    /** A container of a pod. */
    private record Key(ObjectName pod, String uid, String container) {}

    Programs(Function<ObjectName, @Nullable JsonObject> pods, Clock clock) {
        this.pods = pods;
        this.clock = clock;
    }

    /** Returns the files of a container. A new container replaces those whose pods are gone. */
    private MemoryFiles filesOf(ContainerHost.Container container) {
        JsonObject pod = container.pod();
        Key wanted = new Key(SimulatedContainers.nameOf(pod), pod.string("metadata", "uid"), container.name());
        List<Key> others;
        lock.lock();
        try {
            MemoryFiles known = files.get(wanted);
            if (known != null) {
                return known;
            }
            others = List.copyOf(files.keySet());
        } finally {
            lock.unlock();
        }
        List<Key> gone = others.stream().filter(this::isGone).toList();
        lock.lock();
        try {
            for (Key key : gone) {
                MemoryFiles removed = files.remove(key);
                if (removed != null) {
                    removed.close();
                }
            }
            return files.computeIfAbsent(wanted, key -> new MemoryFiles());
        } finally {
            lock.unlock();
        }
    }

    private boolean isGone(Key key) {
        JsonObject pod = pods.apply(key.pod());
        return pod == null || !pod.string("metadata", "uid").equals(key.uid());
    }

    /**
     * Runs a command and returns its exit code.
     *
     * @throws RefusedException if there is no such program
     */
    int run(ContainerHost.Container container, ContainerHost.Command command, Streams streams)
            throws IOException, InterruptedException, RefusedException {
        if (command.words().isEmpty()) {
            throw new RefusedException("you must specify at least one command for the container");
        }
        Run run = new Run(container.pod(), container, filesOf(container), streams);
        Integer code = run.program(command.words(), command.tty());
        if (code == null) {
            throw new RefusedException("failed to exec in container: exec: \""
                    + command.words().get(0) + "\": executable file not found in $PATH");
        }
        return code;
    }

    /** One command. Confined to the thread of its client. */
    private final class Run {

        private final JsonObject pod;
        private final ContainerHost.Container container;
        private final MemoryFiles own;
        private final Streams streams;

        Run(JsonObject pod, ContainerHost.Container container, MemoryFiles own, Streams streams) {
            this.pod = pod;
            this.container = container;
            this.own = own;
            this.streams = streams;
        }

        /** Returns the exit code of a program; null if there is none of this name. */
        @Nullable
        Integer program(List<String> words, boolean tty) throws IOException, InterruptedException {
            String path = words.get(0);
            List<String> arguments = words.subList(1, words.size());
            return switch (path.substring(path.lastIndexOf('/') + 1)) {
                case "cat" -> cat(arguments);
                case "date" -> print(clock.instant().toString());
                case "echo" -> print(String.join(" ", arguments));
                case "env" -> env();
                case "false" -> 1;
                case "hostname" -> print(pod.string("metadata", "name"));
                case "ls" -> list(arguments);
                case "mkdir" -> each(arguments, own::makeDirectory);
                case "rm" -> each(arguments, own::remove);
                case "sh", "bash", "ash" -> shell(arguments, tty);
                case "sleep" -> sleep(arguments);
                case "tar" -> tar(arguments);
                case "test" -> test(arguments);
                case "true" -> 0;
                default -> null;
            };
        }

        private int print(String line) throws IOException {
            streams.out().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            streams.out().flush();
            return 0;
        }

        private int fail(String message) throws IOException {
            streams.err().write((message + "\n").getBytes(StandardCharsets.UTF_8));
            streams.err().flush();
            return 1;
        }

        private int cat(List<String> paths) throws IOException {
            int code = 0;
            for (String path : paths.isEmpty() ? List.of("-") : paths) {
                byte[] content = own.content(path);
                if (path.equals("-")) {
                    streams.in().transferTo(streams.out());
                } else if (content == null) {
                    code = fail("cat: " + path + ": "
                            + (own.isDirectory(path) ? "Is a directory" : "No such file or directory"));
                } else {
                    streams.out().write(content);
                }
                streams.out().flush();
            }
            return code;
        }

        private int env() throws IOException {
            print("HOSTNAME=" + pod.string("metadata", "name"));
            for (JsonObject variable : SimulatedContainer.of(container)
                    .spec()
                    .array("env")
                    .objects()
                    .toList()) {
                if (variable.has("value")) {
                    print(variable.string("name") + "=" + variable.string("value"));
                }
            }
            return 0;
        }

        private int list(List<String> arguments) throws IOException {
            int code = 0;
            List<String> paths =
                    arguments.stream().filter(word -> !word.startsWith("-")).toList();
            for (String path : paths.isEmpty() ? List.of("/") : paths) {
                String absolute = MemoryFiles.path(path);
                if (!own.exists(path)) {
                    code = fail("ls: " + path + ": No such file or directory");
                } else if (!own.isDirectory(path)) {
                    print(path);
                } else {
                    String prefix = absolute.equals("/") ? "/" : absolute + "/";
                    for (String each : own.below(path)) {
                        if (each.length() > prefix.length() && each.indexOf('/', prefix.length()) < 0) {
                            print(each.substring(prefix.length()));
                        }
                    }
                }
            }
            return code;
        }

        /** Does something with a path. */
        private interface PathAction {
            void accept(String path) throws IOException;
        }

        private int each(List<String> arguments, PathAction action) throws IOException {
            for (String path : arguments) {
                if (!path.startsWith("-")) {
                    action.accept(path);
                }
            }
            return 0;
        }

        private int sleep(List<String> arguments) throws IOException, InterruptedException {
            try {
                TimeUnit.MILLISECONDS.sleep(
                        (long) (1000 * Double.parseDouble(arguments.isEmpty() ? "" : arguments.get(0))));
                return 0;
            } catch (NumberFormatException e) {
                return fail("sleep: invalid number");
            }
        }

        private int test(List<String> arguments) {
            String path = arguments.isEmpty() ? "" : arguments.get(arguments.size() - 1);
            boolean holds = switch (arguments.size() == 2 ? arguments.get(0) : "") {
                case "-d" -> own.isDirectory(path);
                case "-e" -> own.exists(path);
                case "-f" -> own.exists(path) && !own.isDirectory(path);
                case "-n" -> !path.isEmpty();
                case "-z" -> path.isEmpty();
                default ->
                    arguments.size() == 3
                            && arguments.get(1).equals("=")
                            && arguments.get(0).equals(path);
            };
            return holds ? 0 : 1;
        }

        private int tar(List<String> arguments) throws IOException {
            String mode = "";
            String directory = "/";
            List<String> paths = new ArrayList<>();
            for (int i = 0; i < arguments.size(); i++) {
                String word = arguments.get(i);
                if (word.equals("-C") && i + 1 < arguments.size()) {
                    directory = arguments.get(++i);
                } else if (mode.isEmpty() && !word.startsWith("--")) {
                    mode = word;
                } else if (!word.startsWith("-")) {
                    paths.add(word);
                }
            }
            if (mode.contains("x")) {
                Tar.extract(streams.in(), own, directory);
                return 0;
            }
            if (!mode.contains("c")) {
                return fail("tar: You must specify one of 'c' and 'x'");
            }
            for (String path : paths) {
                if (!own.exists(path)) {
                    fail("tar: " + path + ": Cannot stat: No such file or directory");
                    return 2;
                }
                Tar.create(own, path, streams.out());
            }
            return 0;
        }

        /** Executes simple commands: those of {@code -c}, or the lines of the input. */
        private int shell(List<String> arguments, boolean tty) throws IOException, InterruptedException {
            if (arguments.size() >= 2 && arguments.get(0).equals("-c")) {
                return script(arguments.get(1));
            }
            int code = 0;
            prompt(tty);
            for (String line = line(); line != null; line = line()) {
                List<String> words = Words.split(line);
                if (!words.isEmpty() && words.get(0).equals("exit")) {
                    return words.size() > 1 ? Words.number(words.get(1)) : code;
                }
                code = script(line);
                prompt(tty);
            }
            return code;
        }

        /** Returns the next line of the input; null at its end. */
        private @Nullable String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int b = streams.in().read();
            if (b < 0) {
                return null;
            }
            while (b >= 0 && b != '\n' && b != '\r') { // terminals send a carriage return
                if (line.size() == LONGEST_LINE) {
                    throw new IOException("a line of the input is too long");
                }
                line.write(b);
                b = streams.in().read();
            }
            return line.toString(StandardCharsets.UTF_8);
        }

        private void prompt(boolean tty) throws IOException {
            if (tty) {
                streams.out().write("$ ".getBytes(StandardCharsets.US_ASCII));
                streams.out().flush();
            }
        }

        /** Executes commands that semicolons or line ends separate. */
        private int script(String text) throws IOException, InterruptedException {
            int code = 0;
            for (String part : text.split("[;\n]", -1)) {
                List<String> words = Words.split(part);
                if (words.isEmpty()) {
                    continue;
                }
                if (words.get(0).equals("exit")) {
                    return words.size() > 1 ? Words.number(words.get(1)) : code;
                }
                Integer ended = program(words, false);
                if (ended == null) {
                    fail("sh: " + words.get(0) + ": not found");
                }
                code = ended == null ? NOT_FOUND : ended;
            }
            return code;
        }
    }
}
