/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The files of one container, in memory. Each takes its bytes from the space of all containers before it is read.
 * Thread-safe; {@link #write} blocks on its input, the other methods do not.
 */
final class MemoryFiles {

    /** The bytes that the files of all containers of the process may take: a sixteenth of the heap. */
    static final Semaphore SPACE = new Semaphore((int)
            Math.min(Integer.MAX_VALUE, Math.max(8 << 20, Runtime.getRuntime().maxMemory() / 16)));

    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_FILES = 10_000;
    private static final int OF_A_FILE = 128;
    private static final byte[] DIRECTORY = {};

    /** The directories that every container has. They take no space. */
    private static final List<String> FREE = List.of("/", "/etc", "/home", "/root", "/tmp", "/usr", "/var");

    private final ReentrantLock lock = new ReentrantLock();

    /** The content by absolute path. A directory is the one array {@link #DIRECTORY}. */
    @GuardedBy("lock")
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    @GuardedBy("lock")
    private int bytes;

    @GuardedBy("lock")
    private boolean closed;

    MemoryFiles() {
        lock.lock();
        try {
            for (String path : FREE) {
                put(path, DIRECTORY, 0);
            }
        } finally {
            lock.unlock();
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

    /** Returns the content of a file, which nobody may modify; null if there is none, or it is a directory. */
    byte @Nullable [] content(String path) {
        lock.lock();
        try {
            byte[] content = files.get(path(path));
            return content == null || content == DIRECTORY ? null : content;
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
            int cost = cost(path, DIRECTORY);
            requireSpace(cost);
            if (!SPACE.tryAcquire(cost)) {
                throw noSpace();
            }
            put(path, DIRECTORY, cost);
        }
    }

    /**
     * Reads a file, and creates or replaces it and the directories above it. Blocks until the input has its bytes.
     *
     * @param size the number of bytes
     * @throws IOException if the input ends before, or there is no space
     */
    void write(String path, int size, InputStream in) throws IOException {
        String absolute = path(path);
        int cost = OF_A_FILE + absolute.length() + size;
        if (size > MOST_BYTES || !SPACE.tryAcquire(cost)) {
            throw noSpace();
        }
        boolean kept = false;
        try {
            byte[] content = new byte[size];
            if (in.readNBytes(content, 0, size) < size) {
                throw new EOFException("Unexpected EOF in archive");
            }
            keep(absolute, content, cost);
            kept = true;
        } finally {
            if (!kept) {
                SPACE.release(cost);
            }
        }
    }

    private void keep(String path, byte[] content, int cost) throws IOException {
        lock.lock();
        try {
            if (isDirectory(path)) {
                throw new IOException(path + ": Is a directory");
            }
            makeDirectory(path.substring(0, Math.max(1, path.lastIndexOf('/'))));
            byte[] old = files.get(path);
            requireSpace(old == null ? cost : content.length - old.length);
            if (old != null) {
                release(path, old);
            }
            put(path, content, cost);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void put(String path, byte[] content, int cost) {
        files.put(path, content);
        bytes += cost;
    }

    @GuardedBy("lock")
    private void release(String path, byte[] content) {
        int cost = cost(path, content);
        bytes -= cost;
        SPACE.release(cost);
    }

    private static int cost(String path, byte[] content) {
        return content == DIRECTORY && FREE.contains(path) ? 0 : OF_A_FILE + path.length() + content.length;
    }

    @GuardedBy("lock")
    private void requireSpace(int more) throws IOException {
        if (closed || bytes + more > MOST_BYTES || files.size() >= MOST_FILES) {
            throw noSpace();
        }
    }

    private static IOException noSpace() {
        return new IOException("No space left on device");
    }

    /** Removes all files, and refuses others. */
    void close() {
        lock.lock();
        try {
            closed = true;
            remove("/");
        } finally {
            lock.unlock();
        }
    }

    /** Removes a file or a directory with its content. */
    void remove(String path) {
        lock.lock();
        try {
            for (String below : below(path)) {
                byte[] content = files.remove(below);
                if (content != null) {
                    release(below, content);
                }
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
