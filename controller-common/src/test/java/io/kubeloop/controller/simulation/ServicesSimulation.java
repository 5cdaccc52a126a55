/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.NodeSpec;
import io.kubeloop.api.core.NodeStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.Service;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Some services and pods, a real (embedded) API server, and a world that goes wrong: watches lag, break and lose
 * changes, requests and answers get lost, processes end and others lead, people make, change and delete services and
 * pods, and spoil what the controller wrote. One thread, virtual time; every choice comes from the seed.
 */
public abstract class ServicesSimulation extends SeededSimulation {

    private static final ListOptions EVERYTHING = ListOptionsBuilder.builder().build();
    private static final DeleteOptions AT_ONCE = new DeleteOptions(0L, null, null, null);
    private static final List<String> SERVICES = List.of("a", "b");
    private static final List<String> APPS = List.of("x", "y");
    private static final int SETTLE_ROUNDS = 15;

    private final boolean terminatingCount;
    private int created;

    /**
     * Starts a server and a process.
     *
     * @param terminatingCount whether the controller lists pods that are terminating, as not ready
     */
    protected ServicesSimulation(long seed, boolean terminatingCount) {
        super(seed, new Odds(30, 55, 55, 86, 90, 93, 95));
        this.terminatingCount = terminatingCount;
        client.resource(ResourceTypes.NODES)
                .create(Node.of(ObjectMeta.named("", "n"), NodeSpec.EMPTY, NodeStatus.EMPTY));
        lead();
    }

    /** Returns the addresses of each service as stored: {@code IP:port}, and {@code not ready} behind some. */
    protected abstract Map<String, List<String>> stored();

    /** Lets a user change or delete what the controller wrote for this service; returns false if there is nothing. */
    protected abstract boolean spoil(ObjectName service);

    @Override
    protected final void usersAct() {
        int choice = random.nextInt(31);
        if (choice < 10) {
            changeAService(SERVICES.get(random.nextInt(SERVICES.size())));
        } else if (choice < 18) {
            createPod();
        } else if (choice < 28) {
            changeAPod();
        } else {
            spoil();
        }
    }

    @Override
    protected final Duration time() {
        return Duration.ofSeconds(random.nextInt(90));
    }

    @Override
    protected final void beforeWrite(ApiRequest request) {
        meanwhile(50, 0);
    }

    @Override
    protected final void afterWrite(ApiRequest request) {
        worldChanged();
    }

    /** Without further faults, what is stored equals a simple recomputation. */
    @Override
    protected final void settle() {
        calm(SETTLE_ROUNDS, Duration.ofMinutes(1), () -> {});
        Map<String, List<String>> actual = stored();
        assertThat(actual).as("settled, after %s", history).isEqualTo(recomputed());
    }

    // -- what should be

    private Map<String, List<String>> recomputed() {
        Map<String, List<String>> wanted = new TreeMap<>();
        for (Service service : list(ResourceTypes.SERVICES)) {
            List<String> lines = new ArrayList<>();
            for (Pod pod : list(ResourceTypes.PODS)) {
                boolean chosen = pod.metadata()
                        .labels()
                        .entrySet()
                        .containsAll(service.spec().selector().entrySet());
                boolean publishes = service.spec().publishNotReadyAddresses();
                boolean leaves = pod.metadata().isDeleting() && !publishes && !terminatingCount;
                boolean ready = publishes || (pod.isReady() && !pod.metadata().isDeleting());
                if (chosen && !leaves && !pod.status().podIP().isEmpty()) {
                    String name = service.spec().ports().get(0).targetPort().text();
                    int port = name == null
                            ? service.spec().ports().get(0).targetPort().number()
                            : 8080;
                    lines.add(pod.status().podIP() + ":" + port + (ready ? "" : " not ready"));
                }
            }
            wanted.put(service.metadata().name(), List.copyOf(new TreeSet<>(lines)));
        }
        return wanted;
    }

    // -- the others

    private void changeAService(String name) {
        boolean exists = list(ResourceTypes.SERVICES).stream()
                .anyMatch(service -> service.metadata().name().equals(name));
        String app = APPS.get(random.nextInt(APPS.size()));
        if (!exists) {
            note("service " + name + " is made, for " + app);
            create(ResourceTypes.SERVICES, """
                    {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s","namespace":"default"},
                     "spec":{"selector":{"app":"%s"},"ports":[{"port":80,"targetPort":"http"}]}\
                    }""".formatted(name, app));
        } else if (random.nextInt(3) == 0) {
            note("service " + name + " is deleted");
            client.resource(ResourceTypes.SERVICES).delete(new ObjectName("default", name), AT_ONCE);
        } else {
            String spec = switch (random.nextInt(4)) {
                case 0 -> "{\"selector\":{\"app\":\"" + app + "\"}}";
                case 1 -> "{\"ports\":[{\"port\":80,\"targetPort\":" + (9000 + random.nextInt(3)) + "}]}";
                case 2 -> "{\"ports\":[{\"port\":80,\"targetPort\":\"http\"}]}";
                default -> "{\"publishNotReadyAddresses\":" + random.nextBoolean() + "}";
            };
            note("service " + name + " becomes " + spec);
            client.resource(ResourceTypes.SERVICES)
                    .patch(new ObjectName("default", name), Patch.merge("{\"spec\":" + spec + "}"));
        }
        worldChanged();
    }

    private void createPod() {
        String name = "pod-" + ++created;
        note(name + " is made");
        create(ResourceTypes.PODS, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default","labels":{"app":"%s"}},
                 "spec":{"nodeName":"n","containers":[{"name":"c","image":"i","ports":[{"name":"http",\
                "containerPort":8080}]}]}}""".formatted(name, APPS.get(random.nextInt(APPS.size()))));
        worldChanged();
    }

    private void changeAPod() {
        List<Pod> pods = list(ResourceTypes.PODS);
        if (pods.isEmpty()) {
            return;
        }
        Pod pod = pods.get(random.nextInt(pods.size()));
        ObjectName name = pod.objectName();
        switch (random.nextInt(6)) {
            case 0 -> client.resource(ResourceTypes.PODS).delete(name, AT_ONCE);
            case 1 -> client.resource(ResourceTypes.PODS).delete(name, DeleteOptions.DEFAULT);
            case 2 ->
                client.resource(ResourceTypes.PODS)
                        .patch(
                                name,
                                Patch.merge("{\"metadata\":{\"labels\":{\"app\":\""
                                        + APPS.get(random.nextInt(APPS.size())) + "\"}}}"));
            default -> report(name, "10.0.0." + (1 + random.nextInt(200)), random.nextInt(3) > 0);
        }
        note(name.name() + " changes");
        worldChanged();
    }

    private void report(ObjectName pod, String ip, boolean ready) {
        client.resource(ResourceTypes.PODS)
                .patch(pod, Patch.merge("""
                        {"status":{"phase":"Running","podIP":"%s","podIPs":[{"ip":"%s"}],
                         "conditions":[{"type":"Ready","status":"%s","lastTransitionTime":"%s"}]}\
                        }""".formatted(ip, ip, ready ? "True" : "False", clock.instant())), "status");
    }

    private void spoil() {
        ObjectName name = new ObjectName("default", SERVICES.get(random.nextInt(SERVICES.size())));
        try {
            if (spoil(name)) {
                note("somebody spoils what " + name.name() + " has");
                worldChanged();
            }
        } catch (ApiException e) {
            assertThat(e.isNotFound()).isTrue();
        }
    }

    // -- the server's side

    private <T extends KubeObject> void create(ResourceType<T> type, String json) {
        client.resource(type)
                .create(JsonCodec.standard()
                        .decode(type, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
    }

    /** Lists the objects, but not those of the service of the API server itself. */
    protected final <T extends KubeObject> List<T> list(ResourceType<T> type) {
        return client.resource(type).list("", EVERYTHING).items().stream()
                .filter(object -> !object.metadata().name().startsWith("kubernetes"))
                .toList();
    }
}
