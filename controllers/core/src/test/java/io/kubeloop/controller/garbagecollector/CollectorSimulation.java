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
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.DiscoveryReader;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Trees of owners on a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes,
 * handlers fall behind, requests and answers get lost, other processes take the lead, also in the middle of a sync.
 * People create objects with owners that exist, existed, never were or are elsewhere, form circles, change references,
 * and delete in all three ways. One thread, virtual time; every choice comes from the seed.
 */
final class CollectorSimulation implements AutoCloseable {

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

    private final Random random;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server;
    private final KubeClient people;
    private final ApiCatalog catalog;
    private final List<String> history = new ArrayList<>();

    /** References to objects that existed at some time, by UID. */
    private final Map<String, OwnerReference> known = new LinkedHashMap<>();

    private @Nullable SimulatedCollector leader;
    private int nesting;

    CollectorSimulation(long seed) {
        random = new Random(seed);
        server = EmbeddedApiServer.builder()
                .clock(clock)
                .random(new Random(seed))
                .build();
        people = KubeClient.of(server.transport(), JsonCodec.standard());
        post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                {"metadata":{"name":"widgets.sim.example"},"spec":{"group":"sim.example","scope":"Namespaced",
                 "names":{"plural":"widgets","singular":"widget","kind":"Widget"},
                 "versions":[{"name":"v1","served":true,"storage":true,
                 "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""");
        catalog = new DiscoveryReader(server.transport()).read();
        leader = newLeader();
    }

    @Override
    public void close() {
        server.close();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        settle();
    }

    private SimulatedCollector leader() {
        SimulatedCollector current = leader;
        if (current == null) {
            throw new IllegalStateException("no leader yet");
        }
        return current;
    }

    private void step(int choice) {
        if (choice < 28) {
            deliver();
        } else if (choice < 55) {
            leader().network.failures(random.nextInt(3) * 20);
            work();
        } else {
            change(choice);
        }
    }

    private void change(int choice) {
        if (choice < 73) {
            create();
        } else if (choice < 80) {
            delete();
        } else if (choice < 86) {
            changeOwners();
        } else if (choice < 88) {
            hold();
        } else if (choice < 91) {
            note("changes are lost");
            monitor().cache().loseChanges(random);
        } else if (choice < 94) {
            note("relist");
            monitor().cache().relist();
            tellHandlers();
        } else if (choice < 96) {
            note("another process leads");
            leader = newLeader();
        } else {
            Duration passed = Duration.ofMillis(random.nextInt(5000));
            note(passed + " pass");
            clock.advance(passed);
        }
    }

    /** With no more faults and nobody who holds objects, the collector ends its work without any further push. */
    private void settle() {
        note("quiet");
        nesting++; // no more changes between two requests
        leader().network.failures(0);
        objects().forEach((object, metadata) -> {
            if (metadata.finalizers().contains(HOLD)) {
                setFinalizers(object, metadata, false);
            }
        });
        leader().monitors.forEach(monitor -> monitor.cache().relist());
        for (int round = 0; round < SETTLE_ROUNDS; round++) {
            while (deliverAll() || work()) {
                // One or the other: each may make work for the other.
            }
            clock.advance(Duration.ofSeconds(30));
        }
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

    private SimulatedCollector newLeader() {
        SimulatedCollector collector = new SimulatedCollector(
                new CheckedServer(),
                catalog,
                clock,
                random,
                asking -> asking == leader,
                request -> beforeWrite(),
                request -> worldChanged());
        collector.start(this::list);
        return collector;
    }

    /** People are quick, and a process can lose the lead at any moment, also between two requests of one sync. */
    private void beforeWrite() {
        if (nesting > 0) {
            return;
        }
        nesting++;
        if (random.nextInt(100) < 3) {
            note("another process leads, in the middle of a sync");
            leader = newLeader();
        }
        while (random.nextInt(100) < 25) {
            change(55 + random.nextInt(33));
        }
        nesting--;
    }

    private boolean work() {
        String outcome = leader().processNextWorkItem(random.nextInt(4) == 0);
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    private SimulatedCollector.Monitor monitor() {
        return leader().monitors.get(random.nextInt(TYPES.size()));
    }

    private void deliver() {
        note("watch");
        monitor().cache().deliver();
        tellHandlers();
    }

    private void tellHandlers() {
        if (random.nextInt(4) > 0) {
            monitor().events().tellAll();
        }
    }

    private boolean deliverAll() {
        boolean delivered = false;
        for (SimulatedCollector.Monitor monitor : leader().monitors) {
            while (monitor.cache().deliver()) {
                delivered = true;
            }
            delivered |= monitor.events().tellAll();
        }
        return delivered;
    }

    private List<PartialObjectMetadata> list(ResourceType<PartialObjectMetadata> type) {
        return people.resource(type).list("", ListOptions.NONE).items().stream()
                .filter(object -> object.metadata().name().startsWith("x"))
                .toList();
    }

    private void worldChanged() {
        SimulatedCollector current = leader;
        if (current != null) {
            current.monitors.forEach(monitor -> monitor.cache().serverHas(list(monitor.type())));
        }
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
            tolerant(() -> people.resource(type(object))
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
        tolerant(() -> people.resource(type(object)).patch(object.objectName(), Patch.merge(patch)));
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

    private void post(String path, String body) {
        ApiRequest.Body content = ApiRequest.Body.json(body.getBytes(StandardCharsets.UTF_8));
        try (ApiResponse response = server.transport().execute(ApiRequest.of("POST", path, Map.of(), content))) {
            if (!response.isSuccessful()) {
                note("refused: " + response.code());
            }
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
            return people.resource(type(object))
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

    private void note(String what) {
        history.add(what);
    }
}
