package io.kubeloop.app.cli;

import picocli.CommandLine;

/** The option {@code -v}: how much is logged. Applies before the first logger is made. */
public final class Verbosity {

    @CommandLine.Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            arity = "0..1",
            fallbackValue = "1",
            defaultValue = "0",
            description =
                    "How much is logged: 0 what needs attention (default), 1 what happens, 2 and more every detail.")
    private int level;

    /** Sets the level of the logging backend. */
    public void apply() {
        String name = level <= 0 ? "warn" : level == 1 ? "info" : "debug";
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", name);
    }
}
