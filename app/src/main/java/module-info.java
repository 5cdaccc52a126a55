/* SPDX-License-Identifier: Apache-2.0 */
/** The command line: demo, apiserver, controller-manager, kubelet, kubeconfig. */
module io.kubeloop.app {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires info.picocli;
    requires io.kubeloop.command;
    requires io.kubeloop.apiserver.command;
    requires io.kubeloop.manager.command;
    requires io.kubeloop.api;
    requires io.kubeloop.json;
    requires io.kubeloop.cache;
    requires io.kubeloop.workqueue;
    requires io.kubeloop.controller;
    requires io.kubeloop.controller.endpoint;
    requires io.kubeloop.controllers.discovery;
    requires io.kubeloop.controllers.autoscaling;
    requires io.kubeloop.controllers.core;
    requires io.kubeloop.controllers.nodes;
    requires io.kubeloop.controllers.storage;
    requires io.kubeloop.controllers.certificates;
    requires io.kubeloop.controller.replicaset;
    requires io.kubeloop.transport.http;
    requires io.kubeloop.apiserver;
    requires io.kubeloop.controlplane;
    requires io.kubeloop.simulation;
    requires transitive io.kubeloop.manager;
    requires io.kubeloop.kubelet;
    requires io.kubeloop.micrometer;
    requires micrometer.registry.prometheus;
    requires java.naming;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires org.slf4j;

    provides org.slf4j.spi.SLF4JServiceProvider with
            io.kubeloop.app.LogProvider;

    exports io.kubeloop.app;

    opens io.kubeloop.app to
            info.picocli;
    opens io.kubeloop.app.demo to
            info.picocli;
}
