/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.cli;

import picocli.CommandLine;

/** The option {@code -v}, which sets the log level. It takes effect on loggers that are created later. */
public final class Verbosity {

    @CommandLine.Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            arity = "0..1",
            fallbackValue = "1",
            defaultValue = "0",
            description =
                    "Log level: 0 warnings and errors (default), 1 informational messages, 2 and more debug messages.")
    private int level;

    /** Sets the level of the logging backend. Call it before the first logger is created. */
    public void apply() {
        apply(level);
    }

    /**
     * Sets the level of the logging backend to that of a value of the option. Call it before the first logger is
     * created.
     */
    public static void apply(int level) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", name(level));
    }

    /**
     * Sets the level of the loggers whose names begin with a prefix, such as {@code io.kubeloop.cache}.
     *
     * @throws UsageException if the level is no number
     */
    public static void apply(String prefix, String level) {
        if (level.isEmpty() || level.length() > 3 || !level.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new UsageException("--vmodule: the level of " + prefix + " must be a number, got " + level);
        }
        System.setProperty("org.slf4j.simpleLogger.log." + prefix, name(Integer.parseInt(level)));
    }

    private static String name(int level) {
        return level <= 0 ? "warn" : level == 1 ? "info" : "debug";
    }
}
