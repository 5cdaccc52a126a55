/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The lines of the main code that run under a lock: the bodies of {@code try} statements whose {@code finally} releases
 * one, and the methods that {@code @GuardedBy} requires one for. The formatter decides the layout, so the indentation
 * shows where a block ends.
 */
final class LockRegions {

    private static final Pattern UNLOCKS = Pattern.compile("\\.(unlock|unlockWrite|unlockRead)\\(");
    private static final Pattern LOCKS =
            Pattern.compile("\\s*(long \\w+ = )?[\\w.]+\\.(lock|lockInterruptibly|writeLock|readLock)\\(\\);");
    private static final Pattern MONITOR = Pattern.compile("(^|[\\s(])synchronized[ (]");
    private static final Pattern COMMENT = Pattern.compile("\\s*(/?\\*|//).*");

    private record Lines(int first, int last) {}

    /** The regions by the path of the file below its root, such as {@code io/kubeloop/cache/Foo.java}. */
    private final Map<String, List<Lines>> byFile = new HashMap<>();

    private final List<String> unknown = new ArrayList<>();

    private LockRegions() {}

    /** Reads the main sources of every module. */
    static LockRegions find() throws IOException {
        LockRegions found = new LockRegions();
        for (Path root : ModuleFolders.children("src/main/java").toList()) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String name = root.relativize(file).toString().replace('\\', '/');
                    found.add(name, Files.readAllLines(file));
                }
            }
        }
        return found;
    }

    /** Returns whether a line runs under a lock; the first line of a file is 1. */
    boolean contains(String packageName, String file, int line) {
        return byFile.getOrDefault(packageName.replace('.', '/') + "/" + file, List.of()).stream()
                .anyMatch(lines -> lines.first() <= line && line <= lines.last());
    }

    /** Returns the uses of locks that have no region: those without {@code try} and {@code finally}, and monitors. */
    List<String> unknown() {
        return unknown;
    }

    private void add(String name, List<String> lines) {
        List<Lines> regions = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().equals("try {")) {
                int end = end(lines, i, "} finally {");
                if (end > 0 && UNLOCKS.matcher(lines.get(end + 1)).find()) {
                    regions.add(new Lines(i + 2, end));
                }
            } else if (line.strip().startsWith("@GuardedBy(")
                    && !declaration(lines, i).endsWith(";")) {
                regions.add(new Lines(i + 1, end(lines, i, "}")));
            }
            boolean isLocking =
                    LOCKS.matcher(line).matches() && !lines.get(i + 1).strip().equals("try {");
            Matcher monitor = MONITOR.matcher(line);
            if (isLocking || (monitor.find() && !COMMENT.matcher(line).matches())) {
                unknown.add(name + ":" + (i + 1));
            }
        }
        byFile.put(name, regions);
    }

    /** Returns the index of the next line with this text and the indentation of the line at the start; 0 for none. */
    private static int end(List<String> lines, int start, String text) {
        String indentation = lines.get(start).replaceFirst("\\S.*", "");
        for (int i = start + 1; i < lines.size(); i++) {
            if (lines.get(i).equals(indentation + text)) {
                return i;
            }
            if (!lines.get(i).isBlank() && !lines.get(i).startsWith(indentation)) {
                return 0;
            }
        }
        return 0;
    }

    /** Returns the declaration after an annotation, up to its body or its end. */
    private static String declaration(List<String> lines, int annotation) {
        for (int i = annotation + 1; ; i++) {
            if (lines.get(i).endsWith(";") || lines.get(i).endsWith("{")) {
                // A field may have the body of an anonymous class.
                return lines.get(i).contains(" = ") ? ";" : lines.get(i);
            }
        }
    }
}
