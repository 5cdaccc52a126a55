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
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces that come and go under the same names on a real (embedded) API server, and a world that goes wrong: the
 * watch lags, breaks and loses changes, the handler falls behind, requests and answers get lost, other processes take
 * the lead, also in the middle of a sync. People create and delete namespaces and objects, hold objects by a finalizer
 * and release them, and end pods. One thread, virtual time; every choice comes from the seed.
 */
final class NamespaceSimulation implements AutoCloseable {

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

    private final Random random;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server;
    private final KubeClient people;
    private final List<String> history = new ArrayList<>();

    /** The namespaces of the objects that nobody deleted, by the UIDs of the objects. */
    private final Map<String, String> kept = new LinkedHashMap<>();

    private Leader leader;
    private int names;
    private int nesting;
    private int failures;

    NamespaceSimulation(long seed) {
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
        leader = new Leader();
    }

    @Override
    public void close() {
        server.close();
    }

    /** One process that runs the controller: its cache lags and its network fails. */
    private final class Leader {

        final SimulatedProcess process;
        private final NamespaceSync sync;

        Leader() {
            process = new SimulatedProcess(
                    server.transport(),
                    clock,
                    random,
                    asking -> leader == null || asking == leader.process,
                    request -> beforeWrite(),
                    request -> afterWrite(request));
            LaggingCache<Namespace> namespaces = new LaggingCache<>();
            sync = new NamespaceSync(
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
            process.start();
        }

        void sync(ObjectName name) {
            try {
                sync.syncNamespace(name);
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts the simulation", e);
            }
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
            checkKept();
        }
        settle();
    }

    private void step(int choice) {
        if (choice < 25) {
            leader.process.deliverSome();
        } else if (choice < 40) {
            failures = random.nextInt(4) < 2 ? 0 : random.nextInt(4);
            leader.process.network.failures(failures);
            work();
        } else if (choice < 80) {
            somebodyActs();
        } else if (choice < 83) {
            note("changes are lost");
            leader.process.loseChanges();
        } else if (choice < 87) {
            note("relist");
            leader.process.relistSome();
        } else if (choice < 90) {
            note("another process leads");
            leader = new Leader();
        } else {
            Duration passed = Duration.ofMillis(random.nextInt(20_000));
            note(passed + " pass");
            clock.advance(passed);
        }
    }

    /** A process can lose the lead at any moment, and the world changes while a write is under way. */
    private void beforeWrite() {
        int choice = nesting == 0 ? random.nextInt(1000) : 1000;
        nesting++;
        if (choice < 3) {
            note("another process leads, in the middle of a sync");
            leader = new Leader();
        } else if (choice < 30) {
            somebodyActs();
        }
        nesting--;
    }

    private void afterWrite(ApiRequest request) {
        note(request.method() + " " + request.path());
        String[] path = request.path().split("/namespaces/|/", -1);
        boolean isOfContent =
                request.method().equals("DELETE") && !request.path().endsWith("/pods");
        if (isOfContent && failures == 0) {
            String namespace = path[path.length - 2];
            assertThat(people.resource(PODS).list(namespace, ListOptions.NONE).items())
                    .as("pods while others are deleted, after %s", history)
                    .isEmpty();
        }
        leader.process.worldChanged();
    }

    private boolean work() {
        String outcome = leader.process.processNextWorkItem(leader::sync);
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    /** Nothing in a namespace that nobody deleted has been deleted. */
    private void checkKept() {
        Map<String, String> living = new LinkedHashMap<>();
        Map<String, String> namespaces = namespaces();
        for (ResourceType<PartialObjectMetadata> type : TYPES) {
            for (PartialObjectMetadata object :
                    people.resource(type).list("", ListOptions.NONE).items()) {
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
        people.resource(ResourceTypes.NAMESPACES)
                .list("", ListOptions.NONE)
                .items()
                .forEach(namespace -> all.put(
                        namespace.metadata().name(), namespace.metadata().uid()));
        return all;
    }

    /** With no more faults, holds and pods that run, every namespace that was deleted goes. */
    private void settle() {
        note("quiet");
        nesting++;
        failures = 0;
        leader.process.network.failures(0);
        leader.process.relistAll();
        for (int round = 0; round < 12; round++) {
            for (ResourceType<PartialObjectMetadata> type : TYPES) {
                for (PartialObjectMetadata object :
                        people.resource(type).list("", ListOptions.NONE).items()) {
                    if (object.metadata().isDeleting()) {
                        release(type, object);
                    }
                }
            }
            leader.process.worldChanged();
            while (leader.process.deliverAll() || work()) {
                // One or the other: each may make work for the other.
            }
            clock.advance(Duration.ofSeconds(20));
        }
        checkKept();
        assertThat(people.resource(ResourceTypes.NAMESPACES)
                        .list("", ListOptions.NONE)
                        .items())
                .as("after %s", history)
                .noneMatch(namespace -> namespace.metadata().isDeleting());
    }

    // -- what people do

    private void somebodyActs() {
        try {
            act(NAMES.get(random.nextInt(NAMES.size())), TYPES.get(random.nextInt(TYPES.size())));
        } catch (ApiException e) {
            note("refused: " + e.getMessage());
        }
        leader.process.worldChanged();
    }

    private void act(String namespace, ResourceType<PartialObjectMetadata> type) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
            case 3, 4 -> {
                if (!namespace.equals("default")) {
                    note("delete namespace " + namespace);
                    String uid = namespaces().get(namespace);
                    people.resource(ResourceTypes.NAMESPACES).delete(new ObjectName("", namespace), DEFAULT);
                    kept.values().removeIf(of -> of.equals(uid));
                }
            }
            case 5, 6, 7, 8 -> create(namespace, type);
            case 9 -> {
                PartialObjectMetadata object = any(namespace, type);
                if (object != null) {
                    note("delete " + type + " " + object.objectName());
                    kept.remove(object.metadata().uid());
                    people.resource(type).delete(object.objectName(), DEFAULT);
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
        people.resource(type).list(namespace, ListOptions.NONE).items().stream()
                .filter(object -> object.metadata().name().equals(name))
                .forEach(
                        object -> kept.put(object.metadata().uid(), namespaces().getOrDefault(namespace, "none")));
    }

    /** Removes the finalizer of an object; a pod that is being deleted ends. */
    private void release(ResourceType<PartialObjectMetadata> type, PartialObjectMetadata object) {
        note("release " + type + " " + object.objectName());
        if (object.metadata().finalizers().contains(HOLD)) {
            people.resource(type).patch(object.objectName(), Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
        }
        boolean isGone =
                object.metadata().isDeleting() && object.metadata().finalizers().contains(HOLD) && type != PODS;
        if (object.metadata().isDeleting() && !isGone) {
            people.resource(type).delete(object.objectName(), new DeleteOptions(0L, null, null, null));
        }
    }

    private @Nullable PartialObjectMetadata any(String namespace, ResourceType<PartialObjectMetadata> type) {
        List<PartialObjectMetadata> all =
                people.resource(type).list(namespace, ListOptions.NONE).items();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void post(String path, String json) {
        ApiRequest.Body body = ApiRequest.Body.json(json.getBytes(StandardCharsets.UTF_8));
        try (ApiResponse answer = server.transport().execute(ApiRequest.of("POST", path, Map.of(), body))) {
            if (!answer.isSuccessful()) {
                note("refused: " + answer.code());
            }
        }
    }

    private void note(String what) {
        history.add(what);
    }
}
