/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
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
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the operators of these tests have in common: the caches of cards and config maps, and short writes. */
record TestOperator(
        KubeClient client,
        Lister<Card> cards,
        Lister<ConfigMap> maps,
        RateLimitingQueue<ObjectName> queue,
        Clock clock) {

    static final String FINALIZER = "example.com/cards";

    /** The work on one card. */
    interface Sync {

        /** Reconciles the cluster with the card, which is null if it does not exist in the cache. */
        void sync(TestOperator operator, ObjectName key, @Nullable Card card);
    }

    /** Returns an operator; each instance has a sync of its own, so what it remembers dies with it. */
    static Subject of(Supplier<Sync> sync) {
        return Subject.controller(Card.CODEC, context -> controller(context, sync.get()));
    }

    static Controller controller(ControllerContext context, Sync sync) {
        SharedInformer<Card> cards = context.informers().informer(Card.CARDS);
        SharedInformer<ConfigMap> maps = context.informers().informer(ResourceTypes.CONFIG_MAPS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("cards"));
        TestOperator operator = new TestOperator(
                context.clients().apply("cards"), cards.lister(), maps.lister(), queue, context.clock());
        return new ControllerLoop<>(
                "cards",
                queue,
                key -> sync.sync(operator, key, operator.cards.get(key)),
                List.of(
                        cards.addHandler(ResourceEventHandler.forKeys(queue::add)),
                        maps.addHandler(ResourceEventHandler.forKeys(key -> queue.add(cardOf(key))))),
                context.threads());
    }

    /** The name of a config map begins with that of its card. */
    private static ObjectName cardOf(ObjectName map) {
        int end = map.name().indexOf('-');
        return end < 0 ? map : new ObjectName(map.namespace(), map.name().substring(0, end));
    }

    @Nullable
    ConfigMap map(ObjectName key, String suffix) {
        return maps.get(named(key, suffix));
    }

    static ObjectName named(ObjectName key, String suffix) {
        return new ObjectName(key.namespace(), key.name() + "-" + suffix);
    }

    /** Returns the config maps of a card in the cache, in the order of their names. */
    List<ConfigMap> mapsOf(ObjectName key) {
        return maps.list(key.namespace()).stream()
                .filter(map -> map.metadata().name().startsWith(key.name() + "-"))
                .sorted((one, other) ->
                        one.metadata().name().compareTo(other.metadata().name()))
                .toList();
    }

    void create(Card card, String suffix, Map<String, String> data) {
        client.resource(ResourceTypes.CONFIG_MAPS)
                .create(map(card, card.metadata().name() + "-" + suffix, "", data));
    }

    /** Creates a config map that no card owns, unless it exists. */
    void createAlone(Card card, String suffix) {
        ObjectName name = named(new ObjectName("default", card.metadata().name()), suffix);
        ignoring(
                ApiException::isAlreadyExists,
                () -> client.resource(ResourceTypes.CONFIG_MAPS)
                        .create(new ConfigMap(ObjectMeta.named(name.namespace(), name.name()), Map.of(), null, null)));
    }

    /** Creates unless it exists. */
    void ensure(Card card, String suffix, Map<String, String> data) {
        ignoring(ApiException::isAlreadyExists, () -> create(card, suffix, data));
    }

    private static void ignoring(Predicate<ApiException> refusal, Runnable request) {
        try {
            request.run();
        } catch (ApiException e) {
            if (!refusal.test(e)) {
                throw e;
            }
        }
    }

    void generate(Card card, Map<String, String> data) {
        client.resource(ResourceTypes.CONFIG_MAPS)
                .create(map(card, "", card.metadata().name() + "-", data));
    }

    private static ConfigMap map(Card card, String name, String generateName, Map<String, String> data) {
        return new ConfigMap(metadata(card, name, generateName), data, null, null);
    }

    /** Returns the metadata of an object that a card owns. */
    static ObjectMeta metadata(Card card, String name, String generateName) {
        return ObjectMetaBuilder.builder()
                .namespace(card.metadata().namespace())
                .name(name)
                .generateName(generateName)
                .ownerReferences(List.of(ControllerRefs.newControllerRef(Card.CARDS, card)))
                .build();
    }

    void update(ConfigMap map, Map<String, String> data) {
        client.resource(ResourceTypes.CONFIG_MAPS)
                .update(new ConfigMap(map.metadata(), data, null, map.unknownFields()));
    }

    /** Deletes this object, and no other one that has its name by then. */
    void delete(KubeObject map) {
        delete(
                new ObjectName(map.metadata().namespace(), map.metadata().name()),
                new DeleteOptions(null, null, map.metadata().uid(), null));
    }

    /** Deletes if it exists. */
    void delete(ObjectName map) {
        delete(map, DeleteOptions.DEFAULT);
    }

    private void delete(ObjectName map, DeleteOptions options) {
        ignoring(
                ApiException::isNotFound,
                () -> client.resource(ResourceTypes.CONFIG_MAPS).delete(map, options));
    }

    /**
     * Returns whether the server has this version of a card: the cache of the maps may be ahead of that of the cards.
     */
    boolean isCurrent(Card card) {
        ObjectName name =
                new ObjectName(card.metadata().namespace(), card.metadata().name());
        return client.resource(Card.CARDS)
                .get(name)
                .metadata()
                .resourceVersion()
                .equals(card.metadata().resourceVersion());
    }

    void deleteCard(ObjectName card) {
        client.resource(Card.CARDS).delete(card, DeleteOptions.DEFAULT);
    }

    void status(Card card, int copies, String phase) {
        if (card.status().copies() != copies || !card.status().phase().equals(phase)) {
            client.resource(Card.CARDS).updateStatus(card.withStatus(copies, phase));
        }
    }

    /** Adds the finalizer unless the card has it. */
    void guard(Card card) {
        List<String> finalizers = new ArrayList<>(card.metadata().finalizers());
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
            update(card, metadata -> metadata.finalizers(finalizers));
        }
    }

    /** Removes the finalizer, and no other one. */
    void release(Card card) {
        List<String> finalizers = new ArrayList<>(card.metadata().finalizers());
        if (finalizers.remove(FINALIZER)) {
            update(card, metadata -> metadata.finalizers(finalizers));
        }
    }

    void update(Card card, UnaryOperator<ObjectMetaBuilder> change) {
        ObjectMeta changed =
                change.apply(ObjectMetaBuilder.builder(card.metadata())).build();
        client.resource(Card.CARDS).update(card.withMetadata(changed));
    }
}
