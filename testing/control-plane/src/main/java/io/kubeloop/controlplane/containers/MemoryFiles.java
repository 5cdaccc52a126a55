/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The files of one container, in memory. Thread-safe: no method blocks. */
final class MemoryFiles {

    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_FILES = 10_000;
    private static final byte[] DIRECTORY = {};

    private final ReentrantLock lock = new ReentrantLock();

    /** The content by absolute path. A directory is the one array {@link #DIRECTORY}. */
    @GuardedBy("lock")
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    @GuardedBy("lock")
    private long bytes;

    MemoryFiles() {
        for (String path : List.of("/", "/etc", "/home", "/root", "/tmp", "/usr", "/var")) {
            files.put(path, DIRECTORY);
        }
    }

    /** Returns the absolute path without {@code .} and {@code ..}; a relative one starts at the root. */
    static String path(String text) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : text.split("/", -1)) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    boolean isDirectory(String path) {
        lock.lock();
        try {
            return files.get(path(path)) == DIRECTORY;
        } finally {
            lock.unlock();
        }
    }

    boolean exists(String path) {
        lock.lock();
        try {
            return files.containsKey(path(path));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the content of a file; null if there is none, or it is a directory. */
    byte @Nullable [] content(String path) {
        lock.lock();
        try {
            byte[] content = files.get(path(path));
            return content == null || content == DIRECTORY ? null : content.clone();
        } finally {
            lock.unlock();
        }
    }

    /** Creates a directory and those above it. */
    void makeDirectory(String path) throws IOException {
        lock.lock();
        try {
            String absolute = path(path);
            for (int end = absolute.indexOf('/', 1); end > 0; end = absolute.indexOf('/', end + 1)) {
                make(absolute.substring(0, end));
            }
            make(absolute);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void make(String path) throws IOException {
        byte[] existing = files.get(path);
        if (existing != null && existing != DIRECTORY) {
            throw new IOException(path + ": Not a directory");
        }
        if (existing == null) {
            requireSpace(0);
            files.put(path, DIRECTORY);
        }
    }

    /** Creates or replaces a file, and the directories above it. */
    void write(String path, byte[] content) throws IOException {
        lock.lock();
        try {
            String absolute = path(path);
            if (isDirectory(absolute)) {
                throw new IOException(path + ": Is a directory");
            }
            makeDirectory(absolute.substring(0, Math.max(1, absolute.lastIndexOf('/'))));
            byte[] old = files.get(absolute);
            long freed = old == null ? 0 : old.length;
            requireSpace(content.length - freed);
            bytes += content.length - freed;
            files.put(absolute, content.length == 0 ? new byte[0] : content.clone());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void requireSpace(long more) throws IOException {
        if (bytes + more > MOST_BYTES || files.size() >= MOST_FILES) {
            throw new IOException("No space left on device");
        }
    }

    /** Removes a file or a directory with its content. */
    void remove(String path) {
        lock.lock();
        try {
            for (String below : below(path)) {
                byte[] content = files.remove(below);
                bytes -= content == null ? 0 : content.length;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns a path and everything below it, in order; empty if it does not exist. */
    List<String> below(String path) {
        lock.lock();
        try {
            String absolute = path(path);
            String prefix = absolute.equals("/") ? "/" : absolute + "/";
            return files.keySet().stream()
                    .filter(each -> each.equals(absolute) || each.startsWith(prefix))
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
