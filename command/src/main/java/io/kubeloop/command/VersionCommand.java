/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code kubeloop version}. */
@CommandLine.Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
public final class VersionCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .println("kubeloop " + Version.current() + " (Java "
                        + Runtime.version().feature() + ")");
        return CommandLine.ExitCode.OK;
    }
}
