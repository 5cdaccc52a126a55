/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulationTest {

    static final class Cards {
        final KubeClient client;
        final Lister<Card> cards;
        final Lister<ConfigMap> maps;

        Cards(KubeClient client, Lister<Card> cards, Lister<ConfigMap> maps) {
            this.client = client;
            this.cards = cards;
            this.maps = maps;
        }

        static Controller controller(ControllerContext context) {
            SharedInformer<Card> cards = context.informers().informer(Card.CARDS);
            SharedInformer<ConfigMap> maps = context.informers().informer(ResourceTypes.CONFIG_MAPS);
            RateLimitingQueue<ObjectName> queue =
                    WorkQueues.rateLimiting(context.queues().apply("cards"));
            Cards operator = new Cards(context.clients().apply("cards"), cards.lister(), maps.lister());
            return new ControllerLoop<>(
                    "cards",
                    queue,
                    operator::sync,
                    List.of(
                            cards.addHandler(ResourceEventHandler.forKeys(queue::add)),
                            maps.addHandler(ResourceEventHandler.forKeys(key -> queue.add(
                                    new ObjectName(key.namespace(), key.name().replaceAll("-[0-9]$", "")))))),
                    context.threads());
        }

        void sync(ObjectName key) {
            Card card = cards.get(key);
            if (card == null || card.metadata().isDeleting()) {
                return;
            }
            int ready = 0;
            for (int i = 0; i < 10; i++) {
                ObjectName name = new ObjectName(key.namespace(), key.name() + "-" + i);
                ConfigMap map = maps.get(name);
                if (i < card.spec().copies()) {
                    if (map == null) {
                        try {
                            client.resource(ResourceTypes.CONFIG_MAPS).create(of(card, name));
                        } catch (ApiException e) {
                            if (!e.isAlreadyExists()) {
                                throw e;
                            }
                        }
                    } else if (!map.data().equals(Map.of("text", card.spec().text()))) {
                        client.resource(ResourceTypes.CONFIG_MAPS)
                                .update(of(card, name).withMetadata(map.metadata()));
                    } else {
                        ready++;
                    }
                } else if (map != null) {
                    client.resource(ResourceTypes.CONFIG_MAPS).delete(name, DeleteOptions.DEFAULT);
                }
            }
            if (card.status().copies() != ready) {
                client.resource(Card.CARDS).updateStatus(card.withStatus(ready, ""));
            }
        }

        static ConfigMap of(Card card, ObjectName name) {
            return new ConfigMap(
                    ObjectMetaBuilder.builder()
                            .namespace(name.namespace())
                            .name(name.name())
                            .ownerReferences(List.of(ControllerRefs.newControllerRef(Card.CARDS, card)))
                            .build(),
                    Map.of("text", card.spec().text()),
                    null,
                    null);
        }
    }

    @Test
    void correctOperator_raisesNoAlarm() {
        SimulationReport report = Simulation.of(Subject.controller(Card.CODEC, Cards::controller))
                .definitions(Card.DEFINITION)
                .workload(Workload.builder()
                        .apply("a card", Card.manifest("birthday", "hello", 2))
                        .apply("another text", Card.manifest("birthday", "bye", 2))
                        .apply("one copy", Card.manifest("birthday", "bye", 1))
                        .delete("example.com/v1", "Card", "default", "birthday")
                        .build())
                .run();
        assertThat(report.findings()).as(report.text()).isEmpty();
    }
}
