/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;

/** The main class of the comparer. {@code jmh/compare.sh} builds the jars and starts it. */
@CommandLine.Command(
        name = "compare",
        description = "Separates a regression of a benchmark from noise.",
        subcommands = {DuelCommand.class, CheckCommand.class},
        mixinStandardHelpOptions = true)
public final class CompareMain {

    /** The exit code if a benchmark got worse. */
    static final int WORSE = 3;

    private CompareMain() {}

    /**
     * Runs a command. Exit codes: 0 if no benchmark got worse, 1 for a failure, 2 for wrong usage, 3 if a benchmark
     * got worse.
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new CompareMain()).setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            commandLine.getErr().println(describe(failure));
            return CommandLine.ExitCode.SOFTWARE;
        });
    }

    /** Messages of file system exceptions contain only the path; their type is the reason. */
    private static String describe(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no file " + failure.getMessage();
        }
        return failure instanceof FileSystemException || failure.getMessage() == null
                ? failure.toString()
                : failure.getMessage();
    }
}
