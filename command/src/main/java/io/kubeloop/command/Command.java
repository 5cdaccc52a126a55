/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.json.gotext.GoText;
import java.io.PrintWriter;
import java.util.Locale;
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

    /**
     * Returns what is wrong with a command line, in the words of the flags of Kubernetes' programs.
     *
     * @param program the name of the program or command
     */
    static String misuse(CommandLine.ParameterException e, String program) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String first = unmatched.getUnmatched().get(0);
            if (first.startsWith("--")) {
                return "unknown flag: " + first.split("=", 2)[0];
            }
            return first.startsWith("-") && first.length() > 1
                    ? "unknown shorthand flag: '" + first.charAt(1) + "' in " + first
                    : GoText.quoted(program) + " does not take any arguments, got [" + GoText.quoted(first) + "]";
        }
        if (e instanceof CommandLine.MissingParameterException missing
                && missing.getMissing().size() == 1
                && missing.getMissing().get(0) instanceof OptionSpec option
                && String.valueOf(e.getMessage()).startsWith("Missing required parameter for option")) {
            return "flag needs an argument: " + option.longestName();
        }
        String message = (e.getMessage() == null ? e.toString() : e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
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
