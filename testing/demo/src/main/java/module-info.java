/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code demo}, and the live page of the demo, of the controller manager and of a trial.
 *
 * <p>Start at {@link io.kubeloop.demo.DemoCommand}.
 */
@SuppressWarnings("module") // the modules that it exports packages to are built later
module io.kubeloop.demo {
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.command;
    requires transitive io.kubeloop.manager.command;
    requires io.kubeloop.apiserver.command;
    requires io.kubeloop.apiserver.http;
    requires io.kubeloop.controlplane;
    requires io.kubeloop.transport.http;

    exports io.kubeloop.demo to
            io.kubeloop.app;
    exports io.kubeloop.demo.live to
            io.kubeloop.app,
            io.kubeloop.simulation.command;
}
