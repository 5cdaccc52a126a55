/**
 * What controllers share: expectations, ownership, pod control, slow start, events, and the contract that the manager starts
 * them by.
 *
 * <p>Knows the client contract and the caches, never a transport (upstream: {@code pkg/controller} and
 * {@code client-go/tools/record}).
 */
module io.kubeloop.controller {
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.cache;
    requires transitive io.kubeloop.workqueue;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.controller;
    exports io.kubeloop.controller.events;
    exports io.kubeloop.controller.leaderelection;
}
