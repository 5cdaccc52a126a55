/* SPDX-License-Identifier: Apache-2.0 */
/** The command line: the table of the commands, their exit codes, and the log. */
module io.kubeloop.app {
    requires static org.jspecify;
    requires io.kubeloop.apiserver.command;
    requires io.kubeloop.command;
    requires io.kubeloop.demo;
    requires transitive io.kubeloop.manager;
    requires io.kubeloop.manager.command;
    requires io.kubeloop.simulation.command;
    requires org.slf4j;

    provides org.slf4j.spi.SLF4JServiceProvider with
            io.kubeloop.app.LogProvider;

    exports io.kubeloop.app;
}
