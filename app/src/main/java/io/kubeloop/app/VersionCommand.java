/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import io.kubeloop.command.Command;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.Version;
import java.io.PrintWriter;

/** {@code kubeloop version}. */
final class VersionCommand implements Command {

    @Override
    public String name() {
        return "version";
    }

    @Override
    public String description() {
        return "Prints the version.";
    }

    @Override
    public OptionTable options() {
        return OptionTable.NONE;
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) {
        out.println(
                "kubeloop " + Version.current() + " (Java " + Runtime.version().feature() + ")");
        return 0;
    }
}
