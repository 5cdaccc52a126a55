/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.Quantity;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Quotas of two namespaces on a real (embedded) API server, and a world that goes wrong: watches lag, break and lose
 * changes, handlers fall behind, requests and answers get lost, other processes take the lead, also in the middle of a
 * sync. People create, change and delete objects and quotas; the server charges them. One thread, virtual time; every
 * choice comes from the seed.
 */
final class QuotaSimulation implements AutoCloseable {

    private static final List<String> NAMESPACES = List.of("default", "kube-system");
    private static final ResourceType<PartialObjectMetadata> CONFIG_MAPS =
            ResourceTypes.metadataOf(ResourceTypes.CONFIG_MAPS);
    private static final ResourceType<PartialObjectMetadata> WIDGETS = ResourceTypes.metadataOf(
            ResourceTypes.generic("sim.example", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED));

    /** Limits that nobody reaches: refusals are the admission's business. */
    private static final List<String> LIMITS = List.of(
            "\"pods\":\"900\",\"requests.cpu\":\"900\",\"limits.memory\":\"900Gi\"",
            "\"count/widgets.sim.example\":\"900\",\"configmaps\":\"900\",\"count/configmaps\":\"900\"",
            "\"services\":\"900\",\"services.nodeports\":\"900\",\"persistentvolumeclaims\":\"900\"",
            "\"requests.storage\":\"900Gi\",\"gold.storageclass.storage.k8s.io/requests.storage\":\"900Gi\",\"cpu\":\"900\"");

    private final Random random;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server;
    private final KubeClient people;
    private final List<String> history = new ArrayList<>();
    private Leader leader;
    private int names;
    private int nesting;

    QuotaSimulation(long seed) {
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

    /** One process that runs the controller: its caches lag and its network fails. */
    private final class Leader {

        final SimulatedProcess process;
        final LaggingCache<GenericObject> quotas = new LaggingCache<>();
        private final List<Monitored> monitored = new ArrayList<>();
        private final SimulatedQueue<ObjectName> withoutUsage = new SimulatedQueue<>(clock);
        private final SimulatedQueue<QuotaQueues.Recheck> written = new SimulatedQueue<>(clock);
        private final QuotaQueues queues;
        private final QuotaSync sync;

        Leader() {
            process = new SimulatedProcess(
                    server.transport(),
                    clock,
                    random,
                    asking -> leader == null || asking == leader.process,
                    request -> beforeWrite(),
                    request -> worldChanged(request.method() + " " + request.path()));
            queues = new QuotaQueues(withoutUsage, process.queue, written, quotas, () -> monitored);
            sync = new QuotaSync(quotas, () -> monitored, process.client().resource(Trees.QUOTAS), clock, queues);
            process.cache(Trees.QUOTAS, quotas, queues);
            monitor(ResourceTypes.PODS, new Replenishment<>(ResourceTypes.PODS, Replenishment.ofPods(clock), queues));
            monitor(
                    ResourceTypes.SERVICES,
                    new Replenishment<Service>(ResourceTypes.SERVICES, Replenishment::isDue, queues));
            monitor(
                    ResourceTypes.PERSISTENT_VOLUME_CLAIMS,
                    new Replenishment<PersistentVolumeClaim>(
                            ResourceTypes.PERSISTENT_VOLUME_CLAIMS, Replenishment::isDue, queues));
            monitor(CONFIG_MAPS, new Replenishment<>(CONFIG_MAPS, (old, now) -> false, queues));
            monitor(WIDGETS, new Replenishment<>(WIDGETS, (old, now) -> false, queues));
            process.start();
        }

        private <T extends KubeObject> void monitor(ResourceType<T> type, ResourceEventHandler<T> handler) {
            LaggingCache<T> cache = new LaggingCache<>();
            monitored.add(new Monitored(ResourceTypes.metadataOf(type), cache, true));
            process.cache(type, cache, handler);
        }

        /** Takes an item from one of the queues; returns what came of it, or an empty text if none was due. */
        String work() {
            String outcome = withoutUsage.process(sync::sync);
            outcome = outcome.isEmpty() ? process.processNextWorkItem(sync::sync) : outcome;
            return outcome.isEmpty() ? written.process(sync::recheck) : outcome;
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        settle();
    }

    private void step(int choice) {
        if (choice < 25) {
            leader.process.deliverSome();
        } else if (choice < 45) {
            leader.process.network.failures(random.nextInt(3) * 20);
            work();
        } else if (choice < 85) {
            somebodyActs();
        } else if (choice < 88) {
            note("changes are lost");
            leader.process.loseChanges();
        } else if (choice < 92) {
            note("relist");
            leader.process.relistSome();
        } else if (choice < 95) {
            note("another process leads");
            leader = new Leader();
        } else {
            Duration passed = Duration.ofMillis(random.nextInt(5000));
            note(passed + " pass");
            clock.advance(passed);
        }
    }

    /** A process can lose the lead at any moment, and the world changes while a write is under way. */
    private void beforeWrite() {
        int choice = nesting == 0 ? random.nextInt(100) : 100;
        nesting++;
        if (choice < 3) {
            note("another process leads, in the middle of a sync");
            leader = new Leader();
        } else if (choice < 20) {
            somebodyActs();
        }
        nesting--;
    }

    private boolean work() {
        String outcome = leader.work();
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    /** With no more faults every watch finds what it lost. The period of the full sync passes once. */
    private void settle() {
        note("quiet");
        nesting++;
        leader.process.network.failures(0);
        leader.process.relistAll();
        for (int round = 0; round < 10; round++) {
            while (leader.process.deliverAll() || work()) {
                // One or the other: each may make work for the others.
            }
            if (round == 5) {
                leader.quotas.relist(); // a resync of every quota
            }
            clock.advance(Duration.ofMinutes(1));
        }
        checkUsage();
    }

    private void checkUsage() {
        for (GenericObject quota :
                people.resource(Trees.QUOTAS).list("", ListOptions.NONE).items()) {
            JsonObject tree = Trees.ofQuota(quota);
            Map<String, Quantity> counted = new TreeMap<>();
            tree.object("status", "used")
                    .members()
                    .forEach((name, value) -> counted.put(name, Quantity.parse(tree.string("status", "used", name))));
            assertThat(counted).as("%s, after %s", quota, history).containsExactlyInAnyOrderEntriesOf(naiveCount(tree));
            assertThat(tree.object("status", "hard")).isEqualTo(tree.object("spec", "hard"));
        }
    }

    // -- what people do

    private void somebodyActs() {
        String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
        try {
            switch (random.nextInt(16)) {
                case 0 -> create(Trees.QUOTAS, namespace, quota());
                case 1 -> patch(Trees.QUOTAS, namespace, "{\"spec\":{\"hard\":{" + limits() + "}}}", "");
                case 2 -> delete(Trees.QUOTAS, namespace);
                case 3, 4, 5 -> create(ResourceTypes.PODS, namespace, pod());
                case 6 -> create(ResourceTypes.SERVICES, namespace, service());
                case 7 -> create(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, namespace, claim());
                case 8 -> create(CONFIG_MAPS, namespace, "{}");
                case 9 -> create(WIDGETS, namespace, "{\"apiVersion\":\"sim.example/v1\",\"kind\":\"Widget\"}");
                case 10 -> delete(ResourceTypes.PODS, namespace);
                case 11 ->
                    patch(
                            ResourceTypes.PODS,
                            namespace,
                            "{\"status\":{\"phase\":\"" + (random.nextBoolean() ? "Succeeded" : "Running") + "\"}}",
                            "status");
                case 12 ->
                    patch(
                            ResourceTypes.SERVICES,
                            namespace,
                            "{\"spec\":{\"type\":\"" + (random.nextBoolean() ? "NodePort" : "LoadBalancer") + "\"}}",
                            "");
                case 13 -> delete(random.nextBoolean() ? CONFIG_MAPS : WIDGETS, namespace);
                case 14 -> delete(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, namespace);
                default -> delete(ResourceTypes.SERVICES, namespace);
            }
        } catch (ApiException e) {
            note("refused: " + e.getMessage()); // a quota without usage admits nothing
        }
    }

    private String quota() {
        String scopes = random.nextInt(3) > 0
                ? ""
                : ",\"scopes\":[\"" + (random.nextBoolean() ? "Terminating" : "NotTerminating") + "\"]";
        return "{\"spec\":{\"hard\":{" + (scopes.isEmpty() ? limits() : LIMITS.get(0)) + "}" + scopes + "}}";
    }

    private String limits() {
        String one = LIMITS.get(random.nextInt(LIMITS.size()));
        String other = LIMITS.get(random.nextInt(LIMITS.size()));
        return one.equals(other) ? one : one + "," + other;
    }

    private String pod() {
        return """
                {"spec":{%s"nodeName":"n","terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i",
                 "resources":{"requests":{"cpu":"%dm","memory":"1Mi"},"limits":{"cpu":"4","memory":"%dMi"}}}]}}""".formatted(
                        random.nextInt(3) == 0 ? "\"activeDeadlineSeconds\":90000," : "",
                        100 + random.nextInt(900),
                        1 + random.nextInt(100));
    }

    private String service() {
        return "{\"spec\":{\"type\":\"%s\",\"ports\":[{\"name\":\"a\",\"port\":80},{\"name\":\"b\",\"port\":81}]}}"
                .formatted(random.nextBoolean() ? "NodePort" : "ClusterIP");
    }

    private String claim() {
        return """
                {"spec":{"accessModes":["ReadWriteOnce"],%s"resources":{"requests":{"storage":"%dMi"}}}}""".formatted(random.nextBoolean() ? "\"storageClassName\":\"gold\"," : "", 1 + random.nextInt(100));
    }

    private void create(ResourceType<?> type, String namespace, String json) {
        String name = "o" + names++;
        note("create " + type + " " + namespace + "/" + name);
        JsonObject object = JsonObject.parse(json).with("metadata", JsonObject.EMPTY.with("name", name));
        post(type.collectionPath(namespace), object.toString());
        worldChanged("");
    }

    private void post(String path, String json) {
        try (var answer = server.transport()
                .execute(ApiRequest.of(
                        "POST",
                        path,
                        Map.of(),
                        new ApiRequest.Body(ApiRequest.JSON, json.getBytes(StandardCharsets.UTF_8))))) {
            if (!answer.isSuccessful()) {
                note("refused: " + new String(answer.wholeBody("POST"), StandardCharsets.UTF_8));
            }
        }
    }

    private <T extends KubeObject> @Nullable T any(ResourceType<T> type, String namespace) {
        List<T> all = people.resource(type).list(namespace, ListOptions.NONE).items();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private <T extends KubeObject> void delete(ResourceType<T> type, String namespace) {
        T object = any(type, namespace);
        if (object != null) {
            note("delete " + type + " " + object.objectName());
            people.resource(type).delete(object.objectName(), new DeleteOptions(0L, null, null, null));
            worldChanged("");
        }
    }

    private <T extends KubeObject> void patch(
            ResourceType<T> type, String namespace, String patch, String subresource) {
        T object = any(type, namespace);
        if (object != null) {
            note("patch " + type + " " + object.objectName() + " " + patch);
            if (subresource.isEmpty()) {
                people.resource(type).patch(object.objectName(), Patch.merge(patch));
            } else {
                people.resource(type).patch(object.objectName(), Patch.merge(patch), subresource);
            }
            worldChanged("");
        }
    }

    // -- the usage, counted in another way than the controller does

    private Map<String, Quantity> naiveCount(JsonObject quota) {
        String namespace = quota.string("metadata", "namespace");
        Map<String, Quantity> all = new TreeMap<>();
        for (Pod pod : people.resource(ResourceTypes.PODS)
                .list(namespace, ListOptions.NONE)
                .items()) {
            JsonObject tree = Trees.of(ResourceTypes.PODS, pod);
            boolean hasDeadline = tree.object("spec").has("activeDeadlineSeconds");
            String scope = quota.array("spec", "scopes").strings().findFirst().orElse("");
            boolean inScope = scope.isEmpty() || scope.equals(hasDeadline ? "Terminating" : "NotTerminating");
            if (!pod.isFinished() && inScope) {
                JsonObject resources = tree.array("spec", "containers")
                        .objects()
                        .findFirst()
                        .orElseThrow()
                        .object("resources");
                add(all, "pods", "1");
                add(all, "cpu", resources.string("requests", "cpu"));
                add(all, "requests.cpu", resources.string("requests", "cpu"));
                add(all, "limits.memory", resources.string("limits", "memory"));
            }
        }
        for (Service service : people.resource(ResourceTypes.SERVICES)
                .list(namespace, ListOptions.NONE)
                .items()) {
            add(all, "services", "1");
            int nodePorts = service.spec().type().equals("ClusterIP")
                    ? 0
                    : service.spec().ports().size();
            add(all, "services.nodeports", String.valueOf(nodePorts));
        }
        for (PersistentVolumeClaim claim : people.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS)
                .list(namespace, ListOptions.NONE)
                .items()) {
            JsonObject spec =
                    Trees.of(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim).object("spec");
            String storage = spec.string("resources", "requests", "storage");
            add(all, "persistentvolumeclaims", "1");
            add(all, "requests.storage", storage);
            if (spec.string("storageClassName").equals("gold")) {
                add(all, "gold.storageclass.storage.k8s.io/requests.storage", storage);
            }
        }
        int configMaps = people.resource(CONFIG_MAPS)
                .list(namespace, ListOptions.NONE)
                .items()
                .size();
        add(all, "configmaps", String.valueOf(configMaps));
        add(all, "count/configmaps", String.valueOf(configMaps));
        add(
                all,
                "count/widgets.sim.example",
                String.valueOf(people.resource(WIDGETS)
                        .list(namespace, ListOptions.NONE)
                        .items()
                        .size()));
        Map<String, Quantity> limited = new TreeMap<>();
        quota.object("spec", "hard")
                .members()
                .forEach((name, value) -> limited.put(name, all.getOrDefault(name, Quantity.ZERO)));
        return limited;
    }

    private static void add(Map<String, Quantity> all, String name, String amount) {
        all.merge(name, Quantity.parse(amount), Quantity::plus);
    }

    private void worldChanged(String what) {
        if (!what.isEmpty()) {
            note(what);
        }
        leader.process.worldChanged();
    }

    private void note(String what) {
        history.add(what);
    }
}
