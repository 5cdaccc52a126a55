/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes objects as immutable records, and the contract between a controller and an API server.
 *
 * <p>Depends on nothing at run time. Records are immutable. Interfaces and classes with state document their
 * thread-safety.
 */
module io.kubeloop.api {
    requires transitive org.jspecify; // codecs look for @Nullable at run time
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated

    exports io.kubeloop.api;
    exports io.kubeloop.api.apps;
    exports io.kubeloop.api.autoscaling;
    exports io.kubeloop.api.batch;
    exports io.kubeloop.api.certificates;
    exports io.kubeloop.api.client;
    exports io.kubeloop.api.coordination;
    exports io.kubeloop.api.core;
    exports io.kubeloop.api.discovery;
    exports io.kubeloop.api.policy;
    exports io.kubeloop.api.selector;
    exports io.kubeloop.api.value;
}
