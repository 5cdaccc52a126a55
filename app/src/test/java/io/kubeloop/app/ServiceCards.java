package io.kubeloop.app;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import java.util.stream.Stream;

/** The controller of docs/write-a-controller.md: keeps a ConfigMap beside each Service that is labelled {@code card=yes}. */
final class ServiceCards {

    static final ResourceType<GenericObject> CONFIG_MAPS =
            ResourceTypes.generic("", "v1", "configmaps", "ConfigMap", ResourceType.Scope.NAMESPACED);

    private static final String FINALIZER = "example.com/card";

    private final KubeClient client;
    private final EventRecorder events;
    private final SharedInformer<Service> services;
    private final SharedInformer<GenericObject> cards;
    private final ControllerLoop<ObjectName> loop;

    ServiceCards(KubeClient client, SharedInformerFactory informers, EventRecorder events) {
        this.client = client;
        this.events = events;
        services = informers.informer(ResourceTypes.SERVICES);
        cards = informers.informer(CONFIG_MAPS);
        RateLimitingQueue<ObjectName> queue = WorkQueues.rateLimiting("cards");
        Registration ofServices = services.addHandler(ResourceEventHandler.forKeys(queue::add));
        Registration ofCards = cards.addHandler(ResourceEventHandler.forKeys(queue::add));
        loop = new ControllerLoop<>("cards", queue, this::sync, List.of(ofServices, ofCards), Thread::new);
    }

    ControllerLoop<ObjectName> loop() {
        return loop;
    }

    private void sync(ObjectName key) {
        Service service = services.lister().get(key);
        if (service == null) {
            return;
        }
        ObjectMeta metadata = service.metadata();
        boolean marked = metadata.finalizers().contains(FINALIZER);
        boolean wanted = "yes".equals(metadata.labels().get("card")) && !metadata.isDeleting();
        if (wanted && !marked) {
            write(service, Stream.concat(metadata.finalizers().stream(), Stream.of(FINALIZER)));
        } else if (wanted) {
            writeCard(key, service);
        } else if (marked) {
            deleteCard(key);
            write(service, metadata.finalizers().stream().filter(name -> !name.equals(FINALIZER)));
        }
    }

    private void write(Service service, Stream<String> finalizers) {
        ObjectMeta metadata = ObjectMetaBuilder.builder(service.metadata())
                .finalizers(finalizers.toList())
                .build();
        client.resource(ResourceTypes.SERVICES).update(service.withMetadata(metadata));
    }

    private void writeCard(ObjectName key, Service service) {
        JsonObject data = JsonObject.of(
                "data", JsonObject.EMPTY.with("address", service.spec().clusterIP()));
        GenericObject card = cards.lister().get(key);
        if (card == null) {
            ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named(key.namespace(), key.name()))
                    .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.SERVICES, service)))
                    .build();
            UnknownFields members = UnknownFields.ofMembers("\"data\":" + data.object("data"));
            client.resource(CONFIG_MAPS).create(new GenericObject("v1", "ConfigMap", metadata, members));
        } else if (!data.get("data")
                .equals(JsonObject.parse(card.unknownFields().toString()).get("data"))) {
            client.resource(CONFIG_MAPS).patch(key, Patch.merge(data.toString()));
        } else {
            return;
        }
        events.event(ResourceTypes.SERVICES, service, EventType.NORMAL, "CardWritten", "Wrote the card " + key);
    }

    private void deleteCard(ObjectName key) {
        try {
            client.resource(CONFIG_MAPS).delete(key, DeleteOptions.DEFAULT);
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
