/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands {@code apiserver}, {@code kubelet} and {@code kubeconfig}.
 *
 * <p>Start at {@link io.kubeloop.apiserver.command.ApiServerCommand}.
 */
@SuppressWarnings("module") // the modules that it exports packages to are built later
module io.kubeloop.apiserver.command {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.command;
    requires transitive io.kubeloop.controlplane;
    requires io.kubeloop.kubelet;
    requires io.kubeloop.transport.http;

    exports io.kubeloop.apiserver.command to
            io.kubeloop.app,
            io.kubeloop.demo;
}
