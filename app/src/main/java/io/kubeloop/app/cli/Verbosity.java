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

    /** Sets the level of the logging backend to that of a value of the option. Call it before the first logger is created. */
    public static void apply(int level) {
        String name = level <= 0 ? "warn" : level == 1 ? "info" : "debug";
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", name);
    }
}
