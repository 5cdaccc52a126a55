package io.kubeloop.jmh.compare;

import picocli.CommandLine;

/** Starts the comparer; {@code jmh/compare.sh} does the building. */
@CommandLine.Command(
        name = "compare",
        description = "Tells a regression of a benchmark from noise.",
        subcommands = {
            DuelCommand.class,
            FilesCommand.class,
            RecordCommand.class,
            CheckCommand.class,
            PeersCommand.class
        },
        mixinStandardHelpOptions = true)
public final class CompareMain {

    /** The exit code that says that something got worse. */
    static final int WORSE = 3;

    private CompareMain() {}

    /** Runs a command. Exit codes: 0 nothing got worse, 1 failure, 2 wrong usage, 3 something got worse. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new CompareMain()).setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            commandLine.getErr().println(failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
    }
}
