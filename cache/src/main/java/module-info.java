/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The list-watch machinery: reflector, delta queue, indexer, shared informer (upstream:
 * {@code k8s.io/client-go/tools/cache}).
 *
 * <p>Knows {@link io.kubeloop.api.client.ListerWatcher}, never a transport.
 */
module io.kubeloop.cache {
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.runtime;
    requires org.slf4j;

    exports io.kubeloop.cache;
    exports io.kubeloop.cache.metrics;
}
