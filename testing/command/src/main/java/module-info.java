/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code simulate}.
 *
 * <p>Start at {@link io.kubeloop.simulation.command.SimulateCommand}.
 */
@SuppressWarnings("module") // the module that it exports its package to is built later
module io.kubeloop.simulation.command {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.command;
    requires io.kubeloop.demo;
    requires io.kubeloop.json;
    requires io.kubeloop.manager.command;
    requires io.kubeloop.simulation;

    exports io.kubeloop.simulation.command to
            io.kubeloop.app;
}
