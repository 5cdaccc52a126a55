package io.kubeloop.app;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.leaderelection.LeaderCallbacks;
import io.kubeloop.controller.leaderelection.LeaderElectionConfig;
import io.kubeloop.controller.leaderelection.LeaderElector;
import io.kubeloop.controller.leaderelection.LeaderTransport;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.json.JsonCodec;
import java.time.Clock;

/** The process of docs/write-a-controller.md: one of several, of which one acts. */
final class CardsProcess implements AutoCloseable {

    private final EventBroadcaster broadcaster;
    private final SharedInformerFactory informers;
    private final ServiceCards cards;
    private final LeaderElector elector;

    CardsProcess(Transport transport, String identity) {
        JsonCodec codec = JsonCodec.standard();
        KubeClient unfenced = KubeClient.of(transport, codec);
        KubeClient client = KubeClient.of(new LeaderTransport(transport, this::isLeading), codec);
        broadcaster = new EventBroadcaster(
                EventSink.of(client), EventCorrelatorOptions.DEFAULT, Clock.systemUTC(), Thread::new);
        informers = SharedInformers.factory(client);
        cards = new ServiceCards(client, informers, broadcaster.recorder("cards"));
        LeaderCallbacks callbacks = new LeaderCallbacks() {
            @Override
            public void onStartedLeading() {
                informers.start();
                cards.loop().start(2);
            }

            @Override
            public void onStoppedLeading() {
                cards.loop().close();
            }
        };
        LeaseLock lock = new LeaseLock(unfenced, new ObjectName("default", "cards"), identity);
        elector = new LeaderElector(LeaderElectionConfig.of(lock, callbacks).withReleaseOnCancel());
        elector.start();
    }

    boolean isLeading() {
        return elector.isLeading();
    }

    @Override
    public void close() {
        cards.loop().close();
        broadcaster.close();
        elector.close();
        informers.close();
    }
}
