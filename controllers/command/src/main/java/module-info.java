/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code controller-manager}: the flags of kube-controller-manager, its clients, and its pages over HTTP
 * and
 * HTTPS.
 *
 * <p>Start at {@link io.kubeloop.manager.command.ControllerManagerCommand}.
 */
@SuppressWarnings("module") // the modules that it exports packages to are built later
module io.kubeloop.manager.command {
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.command;
    requires transitive io.kubeloop.manager;
    requires io.kubeloop.apiserver;
    requires io.kubeloop.apiserver.http;
    requires io.kubeloop.micrometer;
    requires io.kubeloop.transport.http;
    requires micrometer.registry.prometheus;
    requires jdk.jfr;
    requires org.slf4j;

    exports io.kubeloop.manager.command to
            io.kubeloop.app,
            io.kubeloop.demo;
    exports io.kubeloop.manager.command.pages to
            io.kubeloop.app,
            io.kubeloop.demo,
            io.kubeloop.simulation.command;
}
