/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.DeleteOptions.PropagationPolicy;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.DiscoveryReader;
import io.kubeloop.controller.simulation.SeededSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Trees of owners on a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes,
 * handlers fall behind, requests and answers get lost, other processes take the lead, also in the middle of a sync.
 * People create objects with owners that exist, existed, never were or are elsewhere, form circles, change references,
 * and delete in all three ways. One thread, virtual time; every choice comes from the seed.
 */
final class CollectorSimulation extends SeededSimulation {

    static final List<ResourceType<PartialObjectMetadata>> TYPES = List.of(
            ResourceTypes.metadataOf(ResourceTypes.CONFIG_MAPS),
            ResourceTypes.metadataOf(ResourceTypes.SECRETS),
            ResourceTypes.metadataOf(ResourceTypes.NODES),
            ResourceTypes.metadataOf(
                    ResourceTypes.generic("sim.example", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED)));

    private static final List<String> NAMESPACES = List.of("default", "kube-system");
    private static final UnknownFields UNKNOWN = UnknownFields.NONE;
    private static final String HOLD = "sim.example/hold";
    private static final int SETTLE_ROUNDS = 80;

    private final ApiCatalog catalog;

    /** References to objects that existed at some time, by UID. */
    private final Map<String, OwnerReference> known = new LinkedHashMap<>();

    private @Nullable SimulatedCollector collector;

    CollectorSimulation(long seed) {
        super(seed, new Odds(28, 55, 55, 88, 91, 94, 96));
        post(DEFINITIONS, WIDGETS_DEFINITION);
        catalog = new DiscoveryReader(server.transport()).read();
        lead();
    }

    @Override
    protected void usersAct() {
        int choice = random.nextInt(33);
        if (choice < 18) {
            create();
        } else if (choice < 25) {
            delete();
        } else if (choice < 31) {
            changeOwners();
        } else {
            hold();
        }
    }

    @Override
    protected Duration time() {
        return Duration.ofMillis(random.nextInt(5000));
    }

    /** With no more faults and nobody who holds objects, the collector ends its work without any further push. */
    @Override
    protected void settle() {
        nesting++; // no more changes between two requests
        objects().forEach((object, metadata) -> {
            if (metadata.finalizers().contains(HOLD)) {
                setFinalizers(object, metadata, false);
            }
        });
        calm(SETTLE_ROUNDS, Duration.ofSeconds(30), () -> {});
        checkNothingIsLeft();
    }

    // -- what must hold

    /** A server that checks each write of the collector at the moment at which it happens. */
    private final class CheckedServer implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            if (request.method().equals("GET")) {
                return server.transport().execute(request);
            }
            ObjectCoordinates target = target(request);
            ObjectMeta before = read(target);
            boolean hasLivingOwner = before != null && mayHaveLivingOwner(before, target);
            ApiResponse response = server.transport().execute(request);
            if (before != null && response.isSuccessful()) {
                if (request.method().equals("DELETE")) {
                    assertThat(before.ownerReferences())
                            .as("owners of %s, after %s", before, history)
                            .isNotEmpty();
                    assertThat(hasLivingOwner && !before.isDeleting())
                            .as("%s has a living owner and is deleted, after %s", before, history)
                            .isFalse();
                } else {
                    checkPatch(target, before);
                }
            }
            return response;
        }

        /** A patch takes away references only, and only those to owners that do not live or that leave orphans. */
        private void checkPatch(ObjectCoordinates target, ObjectMeta before) {
            ObjectMeta after = read(target);
            Map<String, OwnerReference> left = new HashMap<>();
            if (after != null && after.uid().equals(before.uid())) {
                after.ownerReferences().forEach(reference -> left.put(reference.uid(), reference));
            } else {
                return; // its last finalizer is gone, and so is the object
            }
            for (OwnerReference reference : before.ownerReferences()) {
                if (left.remove(reference.uid()) == null) {
                    assertThat(isLiving(reference, target))
                            .as("%s lost its living owner %s, after %s", target, reference, history)
                            .isFalse();
                }
            }
            assertThat(left)
                    .as("references that a patch added to %s, after %s", target, history)
                    .isEmpty();
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return server.transport().stream(request);
        }

        @Override
        public void close() {}
    }

    private static ObjectCoordinates target(ApiRequest request) {
        List<String> parts = List.of(request.path().split("/", -1));
        int namespace = parts.indexOf("namespaces");
        ResourceType<PartialObjectMetadata> type = TYPES.stream()
                .filter(candidate -> candidate.plural().equals(parts.get(parts.size() - 2)))
                .findFirst()
                .orElseThrow();
        return new ObjectCoordinates(
                type.apiVersion(),
                type.kind(),
                namespace < 0 ? "" : parts.get(namespace + 1),
                parts.get(parts.size() - 1),
                "");
    }

    private boolean mayHaveLivingOwner(ObjectMeta object, ObjectCoordinates place) {
        return object.ownerReferences().stream()
                .anyMatch(reference -> isUndecidable(reference, place) || isLiving(reference, place));
    }

    /** Returns whether the owner exists where the reference leads, and is not being deleted. */
    private boolean isLiving(OwnerReference reference, ObjectCoordinates dependent) {
        ObjectMeta owner = owner(reference, dependent);
        return owner != null && !owner.isDeleting();
    }

    private @Nullable ObjectMeta owner(OwnerReference reference, ObjectCoordinates dependent) {
        ResourceType<PartialObjectMetadata> type = typeOf(reference);
        if (type == null || isUndecidable(reference, dependent)) {
            return null;
        }
        ObjectMeta found = read(ObjectCoordinates.of(reference, type.isNamespaced() ? dependent.namespace() : ""));
        return found != null && found.uid().equals(reference.uid()) ? found : null;
    }

    /** Returns whether the collector cannot know that the owner is gone. */
    private static boolean isUndecidable(OwnerReference reference, ObjectCoordinates dependent) {
        ResourceType<PartialObjectMetadata> type = typeOf(reference);
        return type == null || (type.isNamespaced() && !dependent.isNamespaced());
    }

    private static @Nullable ResourceType<PartialObjectMetadata> typeOf(OwnerReference reference) {
        return TYPES.stream()
                .filter(type -> type.kind().equals(reference.kind())
                        && type.apiVersion().equals(reference.apiVersion()))
                .findFirst()
                .orElse(null);
    }

    private void checkNothingIsLeft() {
        objects().forEach((place, object) -> {
            assertThat(object.isDeleting())
                    .as("%s %s is still being deleted, after %s", place, object, history)
                    .isFalse();
            List<OwnerReference> references = object.ownerReferences();
            if (references.isEmpty() || references.stream().anyMatch(reference -> isUndecidable(reference, place))) {
                return;
            }
            assertThat(references)
                    .as("owners of %s, after %s", place, history)
                    .allMatch(reference -> owner(reference, place) != null);
        });
    }

    // -- the collector's side

    @Override
    protected Transport transport() {
        return new CheckedServer();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        collector = new SimulatedCollector(process, catalog, clock);
        return none -> {};
    }

    /** The collector has two queues of UIDs, and none of names. */
    @Override
    protected String processNextWorkItem(Consumer<ObjectName> none) {
        return Objects.requireNonNull(collector).processNextWorkItem(random.nextInt(4) == 0);
    }

    /** People are quick, and a process can lose the lead at any moment, also between two requests of one sync. */
    @Override
    protected void beforeWrite(ApiRequest request) {
        meanwhile(30, 240);
    }

    @Override
    protected void race() {
        do {
            usersAct();
        } while (random.nextInt(4) == 0);
    }

    @Override
    protected void afterWrite(ApiRequest request) {
        worldChanged();
    }

    private List<PartialObjectMetadata> list(ResourceType<PartialObjectMetadata> type) {
        return client.resource(type).list("", ListOptions.NONE).items().stream()
                .filter(object -> object.metadata().name().startsWith("x"))
                .toList();
    }

    // -- people

    private void create() {
        ResourceType<PartialObjectMetadata> type = TYPES.get(random.nextInt(TYPES.size()));
        String namespace = type.isNamespaced() ? NAMESPACES.get(random.nextInt(4) / 3) : "";
        String name = "x" + random.nextInt(7);
        ObjectCoordinates place = new ObjectCoordinates(type.apiVersion(), type.kind(), namespace, name, "");
        String finalizers = random.nextInt(8) == 0 ? ",\"finalizers\":[\"" + HOLD + "\"]" : "";
        String references = references(place);
        note("create " + place + references);
        String metadata = "{\"apiVersion\":\"" + type.apiVersion() + "\",\"kind\":\"" + type.kind()
                + "\",\"metadata\":{\"name\":\"" + name + "\",\"ownerReferences\":" + references + finalizers + "}}";
        post(type.collectionPath(namespace), metadata);
        ObjectMeta made = read(place);
        if (made != null) {
            known.put(
                    made.uid(),
                    new OwnerReference(type.apiVersion(), type.kind(), name, made.uid(), null, null, UNKNOWN));
        }
        worldChanged();
    }

    /** Returns up to three references: to objects that exist or existed, mostly right, to others that never were. */
    private String references(ObjectCoordinates dependent) {
        Map<String, OwnerReference> chosen = new LinkedHashMap<>();
        List<OwnerReference> candidates = List.copyOf(known.values());
        for (int i = random.nextInt(4); i > 0 && !candidates.isEmpty(); i--) {
            // The latest ones exist most likely.
            int back = Math.min(random.nextInt(12), candidates.size() - 1);
            OwnerReference owner = candidates.get(candidates.size() - 1 - back);
            int kind = random.nextInt(24);
            if (kind == 0) {
                owner = reference(owner.apiVersion(), owner.kind(), owner.name(), "never-" + random.nextInt(3));
            } else if (kind == 1) {
                owner = reference(owner.apiVersion(), owner.kind(), "x" + random.nextInt(7), owner.uid());
            } else if (kind == 2) {
                owner = reference("v1", "Secret", owner.name(), owner.uid());
            } else if (kind == 3) {
                owner = reference("unknown.example/v1", "Unknown", owner.name(), "unknown-" + random.nextInt(3));
            }
            boolean blocks = random.nextBoolean();
            chosen.put(
                    owner.uid(),
                    new OwnerReference(
                            owner.apiVersion(), owner.kind(), owner.name(), owner.uid(), null, blocks, UNKNOWN));
        }
        // An object that cannot be decided would block its owners without an end.
        boolean isUndecidable = chosen.values().stream().anyMatch(owner -> isUndecidable(owner, dependent));
        return chosen.values().stream()
                .map(owner -> "{\"apiVersion\":\"" + owner.apiVersion() + "\",\"kind\":\"" + owner.kind()
                        + "\",\"name\":\"" + owner.name() + "\",\"uid\":\"" + owner.uid() + "\",\"blockOwnerDeletion\":"
                        + (ObjectNode.isBlocking(owner) && !isUndecidable) + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static OwnerReference reference(String apiVersion, String kind, String name, String uid) {
        return new OwnerReference(apiVersion, kind, name, uid, null, null, UNKNOWN);
    }

    private @Nullable ObjectCoordinates anyObject() {
        List<ObjectCoordinates> all = List.copyOf(objects().keySet());
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void delete() {
        ObjectCoordinates object = anyObject();
        if (object != null) {
            List<PropagationPolicy> policies = List.of(PropagationPolicy.values());
            PropagationPolicy policy = policies.get(random.nextInt(policies.size()));
            note("delete " + object + " " + policy);
            tolerant(() -> client.resource(type(object))
                    .delete(object.objectName(), new DeleteOptions(null, policy, null, null)));
            worldChanged();
        }
    }

    private void changeOwners() {
        ObjectCoordinates object = anyObject();
        if (object != null) {
            String references = references(object);
            note("owners of " + object + " become " + references);
            patch(object, "{\"metadata\":{\"ownerReferences\":" + references + "}}");
        }
    }

    private void hold() {
        ObjectCoordinates object = anyObject();
        ObjectMeta metadata = object == null ? null : read(object);
        if (metadata != null) {
            boolean isHeld = metadata.finalizers().contains(HOLD);
            note((isHeld ? "release " : "hold ") + object);
            setFinalizers(object, metadata, !isHeld);
        }
    }

    private void setFinalizers(ObjectCoordinates object, ObjectMeta metadata, boolean held) {
        List<String> finalizers = new ArrayList<>(metadata.finalizers());
        finalizers.remove(HOLD);
        if (held) {
            finalizers.add(HOLD);
        }
        String list = finalizers.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
        patch(object, "{\"metadata\":{\"finalizers\":" + (finalizers.isEmpty() ? "null" : list) + "}}");
    }

    private void patch(ObjectCoordinates object, String patch) {
        tolerant(() -> client.resource(type(object)).patch(object.objectName(), Patch.merge(patch)));
        worldChanged();
    }

    /** People meet refusals, such as a new finalizer for an object that is being deleted, and go on. */
    private void tolerant(Runnable request) {
        try {
            request.run();
        } catch (ApiException e) {
            note("refused: " + e.status().message());
        }
    }

    // -- the server's side

    private ResourceType<PartialObjectMetadata> type(ObjectCoordinates object) {
        return TYPES.stream()
                .filter(type -> type.kind().equals(object.kind()))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable ObjectMeta read(ObjectCoordinates object) {
        try {
            return client.resource(type(object))
                    .get(new ObjectName(object.namespace(), object.name()))
                    .metadata();
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private Map<ObjectCoordinates, ObjectMeta> objects() {
        Map<ObjectCoordinates, ObjectMeta> all = new LinkedHashMap<>();
        for (ResourceType<PartialObjectMetadata> type : TYPES) {
            list(type).forEach(object -> all.put(ObjectCoordinates.of(type, object.metadata()), object.metadata()));
        }
        return all;
    }
}
