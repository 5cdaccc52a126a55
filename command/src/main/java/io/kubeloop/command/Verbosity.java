/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.command.log.Logs;
import picocli.CommandLine;

/** The option {@code -v}, which sets the log level. */
public final class Verbosity {

    @CommandLine.Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            arity = "0..1",
            fallbackValue = "1",
            defaultValue = "0",
            description =
                    "Log level: 0 warnings and errors (default), 1 informational messages, 2 debug messages, 3 and more traces.")
    private int level;

    /** Sets the level of the log. */
    public void apply() {
        Logs.level(level);
    }
}
