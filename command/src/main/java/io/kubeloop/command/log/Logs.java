/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command.log;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;

/**
 * The loggers of this process, with their levels and the format of their lines. Thread-safe.
 *
 * <p>Levels are numbers: 0 warnings and errors, 1 informational messages, 2 debug messages, 3 and more traces. A change
 * takes effect at once, on all loggers. The properties {@code kubeloop.v} and {@code kubeloop.vmodule} set the levels
 * before {@link #configure} does, for programs that have no such options.
 */
public final class Logs implements ILoggerFactory {

    /*
     * Invariants: each logger has the level that `settings` states for its name; `this` guards changes of settings and
     * the creation of loggers, which would otherwise miss a change. Threads: any.
     */

    /**
     * Levels and format.
     *
     * @param level the level of the loggers that `levels` does not name
     * @param levels levels by a logger's name, a prefix of it that ends before a dot, or its last part
     */
    private record Settings(int level, Map<String, Integer> levels, LogFormat format) {

        int level(String logger) {
            for (String prefix = logger; !prefix.isEmpty(); prefix = parent(prefix)) {
                Integer named = levels.get(prefix);
                if (named != null) {
                    return named;
                }
            }
            return levels.getOrDefault(logger.substring(logger.lastIndexOf('.') + 1), level);
        }

        private static String parent(String name) {
            return name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }
    }

    /** The loggers of this process: SLF4J has one backend. */
    static final Logs INSTANCE = new Logs();

    /** A logger is made, and all change their level, one after the other. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, LineLogger> loggers = new ConcurrentHashMap<>();
    private volatile Settings settings = new Settings(
            Integer.getInteger("kubeloop.v", 0), levels(System.getProperty("kubeloop.vmodule", "")), LogFormat.TEXT);

    private Logs() {}

    /** Returns the loggers of this process, for the program that makes them the backend of SLF4J. */
    public static ILoggerFactory factory() {
        return INSTANCE;
    }

    private static Map<String, Integer> levels(String text) {
        Map<String, Integer> levels = new TreeMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int at = entry.indexOf('=');
            levels.put(entry.substring(0, at), Integer.valueOf(entry.substring(at + 1)));
        }
        return levels;
    }

    /**
     * Sets levels and format.
     *
     * @param level the level of all loggers but those of {@code levels}
     * @param levels levels by a logger's name, such as {@code io.kubeloop.cache.Reflector}, a prefix of it that ends
     *     before a dot, or its last part; the longest prefix decides
     */
    public static void configure(int level, Map<String, Integer> levels, LogFormat format) {
        INSTANCE.change(new Settings(level, Map.copyOf(levels), format));
    }

    /** Sets the level of all loggers but those that have one of their own. */
    public static void level(int level) {
        Settings before = INSTANCE.settings;
        INSTANCE.change(new Settings(level, before.levels(), before.format()));
    }

    private void change(Settings changed) {
        lock.lock();
        try {
            settings = changed;
            loggers.forEach((name, logger) -> logger.level(changed.level(name)));
        } finally {
            lock.unlock();
        }
    }

    LogFormat format() {
        return settings.format();
    }

    @Override
    public Logger getLogger(String name) {
        LineLogger known = loggers.get(name);
        return known == null ? create(name) : known;
    }

    private Logger create(String name) {
        lock.lock();
        try {
            return loggers.computeIfAbsent(name, unused -> new LineLogger(name, settings.level(name)));
        } finally {
            lock.unlock();
        }
    }
}
