/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.manager.command.ManagerObserver;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.workqueue.QueueMetricsProvider;
import java.net.URI;

/** The live page of a controller manager. Thread-safe. */
public final class LiveManager implements ManagerObserver {

    private final PageKey key = PageKey.random();
    private final LiveView view;

    /** Creates the live page of a manager: a {@link Factory}. */
    public LiveManager(Observed manager) {
        view = new LiveView(
                new LiveFeed(LiveFeed.Gate.OPEN),
                new LiveView.Metrics(manager.informers(), manager.queues(), manager.controllers()),
                manager.about(),
                resource -> {
                    SharedInformerFactory caches = manager.caches().get();
                    return caches == null ? null : LiveView.cache(caches, resource);
                });
    }

    @Override
    public InformerMetricsProvider informers() {
        return view.informers();
    }

    @Override
    public QueueMetricsProvider queues() {
        return view.queues();
    }

    @Override
    public ControllerMetrics controllers() {
        return view.controllers();
    }

    @Override
    public Transport observe(Transport transport) {
        return view.observe(transport);
    }

    @Override
    public void addTo(ManagerHttp pages, boolean isLoopback) {
        LivePage.addTo(pages, view, isLoopback, key);
    }

    @Override
    public URI address(URI pages) {
        return key.address(pages);
    }
}
