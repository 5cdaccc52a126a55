/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The parts that controllers are built from: worker loop, expectations, ownership, pod control, events, leader
 * election, and a runner that starts and stops them together.
 *
 * <p>Depends on the client contract and the caches, never on a transport (upstream: {@code pkg/controller} and
 * {@code client-go/tools/record}).
 */
module io.kubeloop.controller {
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.cache;
    requires transitive io.kubeloop.workqueue;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.controller;
    exports io.kubeloop.controller.discovery;
    exports io.kubeloop.controller.events;
    exports io.kubeloop.controller.eviction;
    exports io.kubeloop.controller.expectations;
    exports io.kubeloop.controller.history;
    exports io.kubeloop.controller.leaderelection;
    exports io.kubeloop.controller.parallel;
    exports io.kubeloop.controller.pods;
    exports io.kubeloop.controller.runner;

    uses io.kubeloop.controller.ControllerProvider;
}
