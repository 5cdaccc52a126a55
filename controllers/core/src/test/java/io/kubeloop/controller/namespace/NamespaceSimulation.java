/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SeededSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces that come and go under the same names on a real (embedded) API server, and a world that goes wrong: the
 * watch lags, breaks and loses changes, the handler falls behind, requests and answers get lost, other processes take
 * the lead, also in the middle of a sync. People create and delete namespaces and objects, hold objects by a finalizer
 * and release them, and end pods. One thread, virtual time; every choice comes from the seed.
 */
final class NamespaceSimulation extends SeededSimulation {

    private static final String HOLD = "sim.example/hold";

    /** The last one is never deleted. */
    private static final List<String> NAMES = List.of("a", "b", "default");

    private static final ResourceType<PartialObjectMetadata> PODS = ResourceTypes.metadataOf(ResourceTypes.PODS);
    private static final List<ResourceType<PartialObjectMetadata>> TYPES = List.of(
            PODS,
            ResourceTypes.metadataOf(ResourceTypes.CONFIG_MAPS),
            ResourceTypes.metadataOf(ResourceTypes.SERVICES),
            ResourceTypes.metadataOf(
                    ResourceTypes.generic("sim.example", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED)));

    private static final DeleteOptions DEFAULT = new DeleteOptions(null, null, null, null);

    /** The namespaces of the objects that nobody deleted, by the UIDs of the objects. */
    private final Map<String, String> kept = new LinkedHashMap<>();

    private int names;
    private int failures;

    NamespaceSimulation(long seed) {
        super(seed, new Odds(25, 40, 40, 80, 83, 87, 90));
        post(DEFINITIONS, WIDGETS_DEFINITION);
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<Namespace> namespaces = new LaggingCache<>();
        NamespaceSync sync = new NamespaceSync(
                namespaces,
                process.client().resource(ResourceTypes.NAMESPACES),
                new NamespaceContent(process.client(), clock),
                process.queue,
                Duration.ofSeconds(15),
                clock);
        process.cache(
                ResourceTypes.NAMESPACES,
                namespaces,
                new NamespaceController.Deletions(process.queue, Duration.ofSeconds(5)));
        return name -> {
            try {
                sync.syncNamespace(name);
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts the simulation", e);
            }
        };
    }

    @Override
    protected void step(int choice) {
        super.step(choice);
        checkKept();
    }

    @Override
    protected int failures() {
        failures = random.nextInt(4) < 2 ? 0 : random.nextInt(4);
        return failures;
    }

    @Override
    protected Duration time() {
        return Duration.ofMillis(random.nextInt(20_000));
    }

    @Override
    protected void beforeWrite(ApiRequest request) {
        meanwhile(3, 27);
    }

    @Override
    protected void afterWrite(ApiRequest request) {
        note(request.method() + " " + request.path());
        String[] path = request.path().split("/namespaces/|/", -1);
        boolean isOfContent =
                request.method().equals("DELETE") && !request.path().endsWith("/pods");
        if (isOfContent && failures == 0) {
            String namespace = path[path.length - 2];
            assertThat(client.resource(PODS).list(namespace, ListOptions.NONE).items())
                    .as("pods while others are deleted, after %s", history)
                    .isEmpty();
        }
        leader.worldChanged();
    }

    /** Nothing in a namespace that nobody deleted has been deleted. */
    private void checkKept() {
        Map<String, String> living = new LinkedHashMap<>();
        Map<String, String> namespaces = namespaces();
        for (ResourceType<PartialObjectMetadata> type : TYPES) {
            for (PartialObjectMetadata object :
                    client.resource(type).list("", ListOptions.NONE).items()) {
                ObjectMeta metadata = object.metadata();
                String namespace = namespaces.get(metadata.namespace());
                assertThat(namespace)
                        .as("namespace of the left over %s %s, after %s", type, object.objectName(), history)
                        .isNotNull();
                if (!metadata.isDeleting()) {
                    living.put(metadata.uid(), String.valueOf(namespace));
                }
            }
        }
        assertThat(living).as("after %s", history).containsAllEntriesOf(kept);
    }

    /** Returns the UIDs of the namespaces by their names. */
    private Map<String, String> namespaces() {
        Map<String, String> all = new LinkedHashMap<>();
        client.resource(ResourceTypes.NAMESPACES)
                .list("", ListOptions.NONE)
                .items()
                .forEach(namespace -> all.put(
                        namespace.metadata().name(), namespace.metadata().uid()));
        return all;
    }

    /** With no more faults, holds and pods that run, every namespace that was deleted goes. */
    @Override
    protected void settle() {
        nesting++;
        failures = 0;
        calm(12, Duration.ofSeconds(20), this::othersFinish);
        checkKept();
        assertThat(client.resource(ResourceTypes.NAMESPACES)
                        .list("", ListOptions.NONE)
                        .items())
                .as("after %s", history)
                .noneMatch(namespace -> namespace.metadata().isDeleting());
    }

    private void othersFinish() {
        for (ResourceType<PartialObjectMetadata> type : TYPES) {
            client.resource(type).list("", ListOptions.NONE).items().stream()
                    .filter(object -> object.metadata().isDeleting())
                    .forEach(object -> release(type, object));
        }
        leader.worldChanged();
    }

    // -- what people do

    @Override
    protected void usersAct() {
        try {
            act(NAMES.get(random.nextInt(NAMES.size())), TYPES.get(random.nextInt(TYPES.size())));
        } catch (ApiException e) {
            note("refused: " + e.getMessage());
        }
        leader.worldChanged();
    }

    private void act(String namespace, ResourceType<PartialObjectMetadata> type) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
            case 3, 4 -> {
                if (!namespace.equals("default")) {
                    note("delete namespace " + namespace);
                    String uid = namespaces().get(namespace);
                    client.resource(ResourceTypes.NAMESPACES).delete(new ObjectName("", namespace), DEFAULT);
                    kept.values().removeIf(of -> of.equals(uid));
                }
            }
            case 5, 6, 7, 8 -> create(namespace, type);
            case 9 -> {
                PartialObjectMetadata object = any(namespace, type);
                if (object != null) {
                    note("delete " + type + " " + object.objectName());
                    kept.remove(object.metadata().uid());
                    client.resource(type).delete(object.objectName(), DEFAULT);
                }
            }
            default -> {
                PartialObjectMetadata object = any(namespace, type);
                if (object != null) {
                    release(type, object);
                }
            }
        }
    }

    private void create(String namespace, ResourceType<PartialObjectMetadata> type) {
        String name = "o" + names++;
        note("create " + type + " " + namespace + "/" + name);
        String spec = type == PODS
                ? "\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]},"
                : type.plural().equals("services") ? "\"spec\":{\"ports\":[{\"port\":80}]}," : "";
        String finalizers = random.nextInt(5) == 0 ? ",\"finalizers\":[\"" + HOLD + "\"]" : "";
        post(
                type.collectionPath(namespace),
                "{\"apiVersion\":\"" + type.apiVersion() + "\",\"kind\":\"" + type.kind() + "\"," + spec
                        + "\"metadata\":{\"name\":\"" + name + "\"" + finalizers + "}}");
        client.resource(type).list(namespace, ListOptions.NONE).items().stream()
                .filter(object -> object.metadata().name().equals(name))
                .forEach(
                        object -> kept.put(object.metadata().uid(), namespaces().getOrDefault(namespace, "none")));
    }

    /** Removes the finalizer of an object; a pod that is being deleted ends. */
    private void release(ResourceType<PartialObjectMetadata> type, PartialObjectMetadata object) {
        note("release " + type + " " + object.objectName());
        if (object.metadata().finalizers().contains(HOLD)) {
            client.resource(type).patch(object.objectName(), Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
        }
        boolean isGone =
                object.metadata().isDeleting() && object.metadata().finalizers().contains(HOLD) && type != PODS;
        if (object.metadata().isDeleting() && !isGone) {
            client.resource(type).delete(object.objectName(), new DeleteOptions(0L, null, null, null));
        }
    }

    private @Nullable PartialObjectMetadata any(String namespace, ResourceType<PartialObjectMetadata> type) {
        List<PartialObjectMetadata> all =
                client.resource(type).list(namespace, ListOptions.NONE).items();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }
}
