/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers of namespaces, quotas, service accounts, bootstrap tokens, dependents of deleted owners, dead pods,
 * the TTL of nodes and the versions of stored objects.
 */
module io.kubeloop.controllers.core {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controller;
    requires io.kubeloop.json;
    requires io.kubeloop.quota;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.kubeloop.controller.bootstrap;
    exports io.kubeloop.controller.garbagecollector;
    exports io.kubeloop.controller.namespace;
    exports io.kubeloop.controller.podgc;
    exports io.kubeloop.controller.resourcequota;
    exports io.kubeloop.controller.serviceaccount;
    exports io.kubeloop.controller.servicecidrs;
    exports io.kubeloop.controller.storageversionmigrator;
    exports io.kubeloop.controller.ttl;
}
