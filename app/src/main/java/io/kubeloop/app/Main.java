/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.command.ApiServerCommand;
import io.kubeloop.apiserver.command.KubeconfigCommand;
import io.kubeloop.apiserver.command.KubeletCommand;
import io.kubeloop.command.Command;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.UsageException;
import io.kubeloop.demo.DemoCommand;
import io.kubeloop.demo.live.LiveManager;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.manager.command.ControllerManagerCommand;
import io.kubeloop.simulation.command.SimulateCommand;
import io.kubeloop.transport.http.KubeconfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command line. Exit codes: 0 done, 1 failure at run time with one line on standard error, 2 wrong usage, 3 trials
 * that the budget of {@code simulate} has cut off.
 */
public final class Main {

    private static final Map<String, String> EXIT_CODES = new TreeMap<>(Map.of(
            "0", "done, also after SIGTERM or Ctrl-C",
            "1", "failure at run time, with one line on standard error",
            "2", "wrong usage",
            "3", "simulate: nothing was found, but the budget ended before all planned trials"));

    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        start(ControllerTable.BUILT_IN, args);
    }

    /**
     * Runs a command, with more controllers than Kubernetes has, and exits with its code. {@code controller-manager}
     * treats all of them alike.
     *
     * @param controllers such as {@code ControllerTable.BUILT_IN.with(...)}
     * @param args the command line, such as {@code controller-manager --controllers=*}
     */
    public static void start(ControllerTable controllers, String... args) {
        start(controllers, CommandLine.ExitCode.USAGE, args);
    }

    /** Runs a command and exits with its code, or with the given one after wrong usage. */
    static void start(ControllerTable controllers, int misuse, String... args) {
        NameLookups.forgetSoon();
        ShutdownSignal signal = ShutdownSignal.install();
        int code = CommandLine.ExitCode.SOFTWARE;
        try {
            code = run(signal, controllers, printer(System.out), printer(System.err), args);
            code = code == CommandLine.ExitCode.USAGE ? misuse : code;
        } catch (Throwable e) {
            System.err.println("kubeloop: unexpected failure: " + e);
        } finally {
            // Without this call the shutdown hook would take the exit for a signal and wait for the command.
            signal.complete(code);
            System.exit(code);
        }
    }

    private static PrintWriter printer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /**
     * Runs a command and returns its exit code. Errors of the JVM, such as {@code OutOfMemoryError}, are failures too.
     */
    static int run(ShutdownSignal signal, PrintWriter out, PrintWriter err, String... args) {
        return run(signal, ControllerTable.BUILT_IN, out, err, args);
    }

    static int run(
            ShutdownSignal signal, ControllerTable controllers, PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = line(commands(signal, controllers));
        line.setOut(out);
        line.setErr(err);
        line.setExecutionExceptionHandler(Main::failed);
        line.setParameterExceptionHandler(Main::misused);
        try {
            return line.execute(args);
        } catch (Error e) {
            return unexpected(err, e);
        }
    }

    private static List<Command> commands(ShutdownSignal signal, ControllerTable controllers) {
        return List.of(
                new DemoCommand(signal),
                new ApiServerCommand(signal),
                new ControllerManagerCommand(signal, controllers, LiveManager::new),
                new KubeletCommand(signal),
                new KubeconfigCommand(),
                new SimulateCommand(signal),
                new VersionCommand());
    }

    private static CommandLine line(List<Command> commands) {
        CommandSpec spec = Command.spec(
                CommandSpec.create(), "kubeloop", "Kubernetes' control plane in Java. Each command has --help.");
        spec.usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .exitCodeListHeading("Exit codes:%n")
                .exitCodeList(EXIT_CODES);
        CommandLine line = new CommandLine(spec);
        commands.forEach(command -> line.addSubcommand(command.line()));
        return line.addSubcommand(new CommandLine.HelpCommand()).setExecutionStrategy(Command::execute);
    }

    private static int misused(CommandLine.ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println("kubeloop: " + Command.misuse(e, command));
        err.println("Try '" + command + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine line, CommandLine.ParseResult result) {
        PrintWriter err = line.getErr();
        if (e instanceof UsageException) {
            err.println("kubeloop: " + e.getMessage());
            err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
            return CommandLine.ExitCode.USAGE;
        }
        if (isExpected(e)) {
            err.println("kubeloop: " + oneLine(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
        return unexpected(err, e);
    }

    private static int unexpected(PrintWriter err, Throwable e) {
        err.println("kubeloop: unexpected failure: " + e);
        e.printStackTrace(err);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static boolean isExpected(Exception e) {
        return e instanceof CommandException
                || e instanceof ApiException
                || e instanceof TransportException
                || e instanceof DecodeException
                || e instanceof KubeconfigException
                || e instanceof UncheckedIOException
                || e instanceof IOException;
    }

    private static String oneLine(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.replaceAll("\\s*\\R\\s*", " ");
    }
}
