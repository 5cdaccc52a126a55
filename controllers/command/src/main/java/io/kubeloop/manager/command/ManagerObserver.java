/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.workqueue.QueueMetricsProvider;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives the measurements of a manager, and serves a page about them beside the manager's own pages over plain HTTP.
 * The methods are thread-safe.
 */
public interface ManagerObserver {

    /** Returns the receiver of the measurements of informers. */
    InformerMetricsProvider informers();

    /** Returns the receiver of the measurements of work queues. */
    QueueMetricsProvider queues();

    /** Returns the receiver of the measurements of controllers. */
    ControllerMetrics controllers();

    /** Returns a transport that is observed. Closing it closes the given one. */
    Transport observe(Transport transport);

    /**
     * Adds the page of this observer. Called only if the flags allow the page.
     *
     * @param isLoopback whether the pages listen on an address of this machine only
     */
    void addTo(ManagerHttp pages, boolean isLoopback);

    /** Returns the address at which a user opens the page, such as the given one with a key; null for no page. */
    @Nullable
    URI address(URI pages);

    /** Makes the observer of a manager, before its parts exist. */
    @FunctionalInterface
    interface Factory {

        /** The observer that passes all measurements on and has no page. */
        Factory NONE = manager -> manager;

        /** Returns the observer of this manager. It must pass what it receives on to the manager's own receivers. */
        ManagerObserver observe(Observed manager);
    }

    /**
     * The manager as its observer sees it: its own receivers of measurements, and its state.
     *
     * @param about returns members that describe the process: {@code state} and {@code lease}
     * @param caches returns the informers of the controllers; null while no controller runs
     */
    record Observed(
            InformerMetricsProvider informers,
            QueueMetricsProvider queues,
            ControllerMetrics controllers,
            Supplier<JsonObject> about,
            Supplier<@Nullable SharedInformerFactory> caches)
            implements ManagerObserver {

        @Override
        public Transport observe(Transport transport) {
            return transport;
        }

        @Override
        public void addTo(ManagerHttp pages, boolean isLoopback) {}

        @Override
        public @Nullable URI address(URI pages) {
            return null;
        }
    }
}
