/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command of the command line. A command runs once. */
public interface Command {

    /** Returns the word by which a user calls the command. */
    String name();

    /** Returns what the help states about the command. */
    String description();

    /** Returns the options of the command, without {@code --help} and {@code --version}. */
    OptionTable options();

    /**
     * Runs the command, on the main thread, until its work is done or the shutdown signal ends it.
     *
     * @param values the values of the options
     * @param out receives the output of the command
     * @param err receives what the user should know beside the output
     * @return the exit code
     * @throws UsageException if the values contradict each other: exit code 2
     * @throws CommandException if the command fails: exit code 1, and its message is the one line on standard error
     * @throws Exception any other failure
     */
    int run(OptionValues values, PrintWriter out, PrintWriter err) throws Exception;

    /** Returns the parser that runs this command. */
    default CommandLine line() {
        CommandSpec spec = spec(CommandSpec.wrapWithoutInspection(this), name(), description());
        options().addTo(spec);
        return new CommandLine(spec).setExecutionStrategy(Command::execute);
    }

    /** Adds the name, the description and the options that every command has. */
    static CommandSpec spec(CommandSpec spec, String name, String description) {
        spec.name(name)
                .version("kubeloop " + Version.current())
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
        spec.usageMessage()
                .description(description.replace("%", "%%"))
                .abbreviateSynopsis(true)
                .sortOptions(false);
        return spec;
    }

    /** Runs the command that a command line names, or prints the help that it requests. */
    static int execute(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        ParseResult result = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        CommandLine line = result.commandSpec().commandLine();
        if (!(result.commandSpec().userObject() instanceof Command command)) {
            throw new CommandLine.ParameterException(line, "a command is required");
        }
        try {
            return command.run(command.options().values(result), line.getOut(), line.getErr());
        } catch (Exception e) {
            throw new CommandLine.ExecutionException(line, command.name() + " failed", e);
        }
    }
}
