/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SeededSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.SimulatedQueue;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Quotas of two namespaces on a real (embedded) API server, and a world that goes wrong: watches lag, break and lose
 * changes, handlers fall behind, requests and answers get lost, other processes take the lead, also in the middle of a
 * sync. People create, change and delete objects and quotas; the server charges them. One thread, virtual time; every
 * choice comes from the seed.
 */
final class QuotaSimulation extends SeededSimulation {

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
            "\"requests.storage\":\"900Gi\",\"gold.storageclass.storage.k8s.io/requests.storage\":\"900Gi\","
                    + "\"cpu\":\"900\"");

    private LaggingCache<GenericObject> quotas = new LaggingCache<>();

    /** Take an item from the queue of the quotas without usage, and from that of the written ones. */
    private Supplier<String> first = () -> "";

    private Supplier<String> last = () -> "";
    private int names;

    QuotaSimulation(long seed) {
        super(seed, new Odds(25, 45, 45, 85, 88, 92, 95));
        post(DEFINITIONS, WIDGETS_DEFINITION);
        lead();
    }

    /** The controller has three queues; that of the process is the second. */
    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<GenericObject> cached = new LaggingCache<>();
        List<Monitored> monitored = new ArrayList<>();
        SimulatedQueue<ObjectName> withoutUsage = new SimulatedQueue<>(clock);
        SimulatedQueue<QuotaQueues.Recheck> written = new SimulatedQueue<>(clock);
        QuotaQueues queues = new QuotaQueues(withoutUsage, process.queue, written, cached, () -> monitored);
        QuotaSync sync = new QuotaSync(cached, () -> monitored, process.client().resource(Trees.QUOTAS), clock, queues);
        process.cache(Trees.QUOTAS, cached, queues);
        monitored.add(monitor(
                process,
                ResourceTypes.PODS,
                new Replenishment<>(ResourceTypes.PODS, Replenishment.ofPods(clock), queues)));
        monitored.add(monitor(
                process,
                ResourceTypes.SERVICES,
                new Replenishment<Service>(ResourceTypes.SERVICES, Replenishment::isDue, queues)));
        monitored.add(monitor(
                process,
                ResourceTypes.PERSISTENT_VOLUME_CLAIMS,
                new Replenishment<PersistentVolumeClaim>(
                        ResourceTypes.PERSISTENT_VOLUME_CLAIMS, Replenishment::isDue, queues)));
        monitored.add(monitor(process, CONFIG_MAPS, new Replenishment<>(CONFIG_MAPS, (old, now) -> false, queues)));
        monitored.add(monitor(process, WIDGETS, new Replenishment<>(WIDGETS, (old, now) -> false, queues)));
        quotas = cached;
        first = () -> withoutUsage.process(sync::sync);
        last = () -> written.process(sync::recheck);
        return sync::sync;
    }

    private static <T extends KubeObject> Monitored monitor(
            SimulatedProcess process, ResourceType<T> type, ResourceEventHandler<T> handler) {
        LaggingCache<T> cache = new LaggingCache<>();
        process.cache(type, cache, handler);
        return new Monitored(ResourceTypes.metadataOf(type), cache, true);
    }

    @Override
    protected String processNextWorkItem(Consumer<ObjectName> sync) {
        String outcome = first.get();
        outcome = outcome.isEmpty() ? leader.processNextWorkItem(sync) : outcome;
        return outcome.isEmpty() ? last.get() : outcome;
    }

    @Override
    protected Duration time() {
        return Duration.ofMillis(random.nextInt(5000));
    }

    @Override
    protected void beforeWrite(ApiRequest request) {
        meanwhile(30, 170);
    }

    @Override
    protected void afterWrite(ApiRequest request) {
        note(request.method() + " " + request.path());
        worldChanged();
    }

    /** With no more faults every watch finds what it lost. The period of the full sync passes once. */
    @Override
    protected void settle() {
        nesting++;
        calm(5, Duration.ofMinutes(1), () -> {});
        quotas.relist(); // a resync of every quota
        calm(5, Duration.ofMinutes(1), () -> {});
        checkUsage();
    }

    private void checkUsage() {
        for (GenericObject quota :
                client.resource(Trees.QUOTAS).list("", ListOptions.NONE).items()) {
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

    @Override
    protected void usersAct() {
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
                 "resources":{"requests":{"cpu":"%dm","memory":"1Mi"},"limits":{"cpu":"4","memory":"%dMi"}}}]}\
                }""".formatted(
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
                {"spec":{"accessModes":["ReadWriteOnce"],%s"resources":{"requests":{"storage":"%dMi"}}}\
                }""".formatted(random.nextBoolean() ? "\"storageClassName\":\"gold\"," : "", 1 + random.nextInt(100));
    }

    private void create(ResourceType<?> type, String namespace, String json) {
        String name = "o" + names++;
        note("create " + type + " " + namespace + "/" + name);
        JsonObject object = JsonObject.parse(json).with("metadata", JsonObject.EMPTY.with("name", name));
        post(type.collectionPath(namespace), object.toString());
        worldChanged();
    }

    private <T extends KubeObject> @Nullable T any(ResourceType<T> type, String namespace) {
        List<T> all = client.resource(type).list(namespace, ListOptions.NONE).items();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private <T extends KubeObject> void delete(ResourceType<T> type, String namespace) {
        T object = any(type, namespace);
        if (object != null) {
            note("delete " + type + " " + object.objectName());
            client.resource(type).delete(object.objectName(), new DeleteOptions(0L, null, null, null));
            worldChanged();
        }
    }

    private <T extends KubeObject> void patch(
            ResourceType<T> type, String namespace, String patch, String subresource) {
        T object = any(type, namespace);
        if (object != null) {
            note("patch " + type + " " + object.objectName() + " " + patch);
            if (subresource.isEmpty()) {
                client.resource(type).patch(object.objectName(), Patch.merge(patch));
            } else {
                client.resource(type).patch(object.objectName(), Patch.merge(patch), subresource);
            }
            worldChanged();
        }
    }

    // -- the usage, counted in another way than the controller does

    private Map<String, Quantity> naiveCount(JsonObject quota) {
        String namespace = quota.string("metadata", "namespace");
        Map<String, Quantity> all = new TreeMap<>();
        for (Pod pod : client.resource(ResourceTypes.PODS)
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
        for (Service service : client.resource(ResourceTypes.SERVICES)
                .list(namespace, ListOptions.NONE)
                .items()) {
            add(all, "services", "1");
            int nodePorts = service.spec().type().equals("ClusterIP")
                    ? 0
                    : service.spec().ports().size();
            add(all, "services.nodeports", String.valueOf(nodePorts));
        }
        for (PersistentVolumeClaim claim : client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS)
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
        int configMaps = client.resource(CONFIG_MAPS)
                .list(namespace, ListOptions.NONE)
                .items()
                .size();
        add(all, "configmaps", String.valueOf(configMaps));
        add(all, "count/configmaps", String.valueOf(configMaps));
        add(
                all,
                "count/widgets.sim.example",
                String.valueOf(client.resource(WIDGETS)
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
}
