package io.kubeloop.jmh.compare;

import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
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
            commandLine.getErr().println(describe(failure));
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    /** File system exceptions have the path as their message, and say in their type alone what is wrong with it. */
    private static String describe(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no file " + failure.getMessage();
        }
        return failure instanceof FileSystemException || failure.getMessage() == null
                ? failure.toString()
                : failure.getMessage();
    }
}
