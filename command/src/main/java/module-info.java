/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the commands of the command line share: failures and their exit codes, common options, the shutdown signal, the
 * log, and the connection to an API server.
 *
 * <p>Start at {@link io.kubeloop.command.Command}.
 */
@SuppressWarnings("module") // the modules that it exports packages to are built later
module io.kubeloop.command {
    requires static transitive org.jspecify;
    requires transitive info.picocli;
    requires io.kubeloop.api;
    requires io.kubeloop.json;
    requires transitive io.kubeloop.transport.http;
    requires transitive org.slf4j;

    exports io.kubeloop.command to
            io.kubeloop.app,
            io.kubeloop.manager.command,
            io.kubeloop.apiserver.command,
            io.kubeloop.demo,
            io.kubeloop.simulation.command;
    exports io.kubeloop.command.log to
            io.kubeloop.app,
            io.kubeloop.manager.command,
            io.kubeloop.apiserver.command,
            io.kubeloop.demo,
            io.kubeloop.simulation.command;
}
