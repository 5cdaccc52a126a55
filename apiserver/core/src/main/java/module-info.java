/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The generic API server: storage with one sequence of resource versions, watches, patches, admission and discovery.
 *
 * <p>It knows no kind by name: {@link io.kubeloop.apiserver.registry.ApiKinds} plugs kinds in. The packages that are
 * exported to some modules only are for the built-in kinds and for the HTTP front end.
 */
@SuppressWarnings("module") // the modules that see the qualified exports are built after this one
module io.kubeloop.apiserver {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.json;
    requires transitive io.kubeloop.runtime;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires re2j;

    exports io.kubeloop.apiserver;
    exports io.kubeloop.apiserver.access to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.admission;
    exports io.kubeloop.apiserver.apply to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.transport.memory,
            io.kubeloop.controlplane;
    exports io.kubeloop.apiserver.discovery to
            io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.customresources.definitions to
            io.kubeloop.apiserver.kinds;
    exports io.kubeloop.apiserver.expressions;
    exports io.kubeloop.apiserver.fielderrors to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.transport.memory,
            io.kubeloop.controlplane,
            io.kubeloop.apiserver.command;
    exports io.kubeloop.apiserver.fieldmanager to
            io.kubeloop.apiserver.kinds;
    exports io.kubeloop.apiserver.objectmeta to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.controlplane;
    exports io.kubeloop.apiserver.openapi to
            io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.patch to
            io.kubeloop.apiserver.kinds;
    exports io.kubeloop.apiserver.registry to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.transport.memory,
            io.kubeloop.controlplane,
            io.kubeloop.apiserver.command,
            io.kubeloop.manager.command,
            io.kubeloop.demo,
            io.kubeloop.simulation;
    exports io.kubeloop.apiserver.registry.request to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.rest to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.transport.memory,
            io.kubeloop.controlplane,
            io.kubeloop.apiserver.command,
            io.kubeloop.manager.command,
            io.kubeloop.demo,
            io.kubeloop.simulation;
    exports io.kubeloop.apiserver.storage to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http,
            io.kubeloop.transport.memory,
            io.kubeloop.controlplane,
            io.kubeloop.simulation;
    exports io.kubeloop.apiserver.storage.codec to
            io.kubeloop.apiserver.kinds;
    exports io.kubeloop.apiserver.table to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.typed to
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.http;

    uses io.kubeloop.apiserver.expressions.ExpressionCompiler;
}
