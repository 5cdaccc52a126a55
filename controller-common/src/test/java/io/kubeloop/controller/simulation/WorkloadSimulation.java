/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One owner of pods, a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes,
 * handlers fall behind, requests and answers get lost, other processes take the lead, also in the middle of a sync, and
 * pods come and go. One thread, virtual time; every choice comes from the seed.
 *
 * @param <O> the kind of the owner
 */
public abstract class WorkloadSimulation<O extends KubeObject> extends SeededSimulation {

    private static final Odds ODDS = new Odds(32, 58, 76, 86, 89, 92, 95);
    private static final int SETTLE_ROUNDS = 30;

    protected final ResourceClient<O> owners;
    protected final ResourceClient<Pod> pods;
    protected final ObjectName key;
    private final Map<String, String> phases = new HashMap<>();
    private final ResourceType<O> type;

    /** Makes the server; the subclass makes the owner and calls {@link #lead}. */
    protected WorkloadSimulation(long seed, ResourceType<O> type, ObjectName key) {
        super(seed, ODDS);
        this.type = type;
        this.key = key;
        owners = client.resource(type);
        pods = client.resource(ResourceTypes.PODS);
    }

    /** Somebody changes the owner or a pod. */
    protected abstract void somebodyActs();

    /** Checks a write of the controller, right after the server has carried it out. */
    protected abstract void check(ApiRequest write);

    /** Makes the owner. */
    protected abstract void create();

    /** Checks the world once it is quiet. */
    protected abstract void checkSettled();

    @Override
    protected final void usersAct() {
        if (random.nextInt(5) > 0) {
            somebodyActs();
            worldChanged();
        } else {
            replace();
        }
    }

    @Override
    protected final Duration time() {
        return Duration.ofSeconds(random.nextBoolean() ? 1 : random.nextInt(900));
    }

    /**
     * With no more faults every watch finds what it lost, and the owner gets what it wants without any further push.
     */
    @Override
    protected void settle() {
        calm(SETTLE_ROUNDS, Duration.ofMinutes(1), () -> {
            othersFinish();
            collectGarbage();
        });
        checkSettled();
    }

    @Override
    protected final void afterWrite(ApiRequest request) {
        note(request.method() + " " + request.path());
        worldChanged();
        check(request);
    }

    @Override
    protected final void beforeWrite(ApiRequest request) {
        meanwhile(30, 170);
    }

    @Override
    protected void race() {
        othersWork();
    }

    /** Makes an object from its manifest. */
    protected final <T extends KubeObject> T create(ResourceType<T> resource, String json) {
        return client.resource(resource)
                .create(JsonCodec.standard()
                        .decode(resource, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
    }

    /** Changes the owner. */
    protected final void patch(String patch) {
        note("patch " + patch);
        owners.patch(key, patch.startsWith("[") ? Patch.json(patch) : Patch.merge(patch));
    }

    /** Somebody deletes the owner, and makes another of its name. */
    protected void replace() {
        note("the owner is replaced by another of its name");
        owners.delete(key, new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
        if (random.nextBoolean()) {
            worldChanged();
        }
        create();
        if (random.nextBoolean()) {
            collectGarbage();
        }
        worldChanged();
    }

    /** What the garbage collector does: the pods and revisions of an owner that is gone go too. */
    protected void collectGarbage() {
        String uid = owner().metadata().uid();
        List<String> collected = new ArrayList<>();
        live().forEach(pod -> {
            OwnerReference controller = pod.metadata().controller();
            if (controller != null
                    && !controller.uid().equals(uid)
                    && !pod.metadata().isDeleting()) {
                delete(pod, 0);
                collected.add(pod.metadata().name());
            }
        });
        ResourceClient<ControllerRevision> revisions = client.resource(ResourceTypes.CONTROLLER_REVISIONS);
        revisions.list("", ListOptions.NONE).items().forEach(revision -> {
            OwnerReference controller = revision.metadata().controller();
            if (controller != null && !controller.uid().equals(uid)) {
                revisions.delete(revision.objectName(), DeleteOptions.DEFAULT);
                collected.add(revision.metadata().name());
            }
        });
        if (!collected.isEmpty()) {
            worldChanged();
        }
    }

    /** The kubelet takes a pod to the next state. */
    @Override
    protected void othersWork() {
        List<Pod> live = live();
        if (!live.isEmpty()) {
            advance(live.get(random.nextInt(live.size())));
        }
    }

    /** The other components do everything that is left to do. */
    protected void othersFinish() {
        live().forEach(this::advance);
    }

    /** Takes a pod to the next state of its life, if it has one. */
    protected void advance(Pod pod) {
        if (pod.metadata().isDeleting()) {
            delete(pod, 0);
        } else if (pod.isFinished() || pod.isReady()) {
            return;
        } else if (pod.status().phase().equals("Pending")) {
            if (pod.spec().nodeName().isEmpty()) {
                bind(pod);
            }
            report(pod, "Running", true);
        } else {
            report(pod, "Running", true);
        }
        worldChanged();
    }

    /** Returns the node that the scheduler chooses, which is always the same one unless overridden. */
    protected String node(Pod pod) {
        return "n";
    }

    private void bind(Pod pod) {
        String body = """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},\
                "target":{"kind":"Node","name":"%s"}}""".formatted(pod.metadata().name(), node(pod));
        int code = server.transport()
                .execute(ApiRequest.of(
                        "POST",
                        ResourceTypes.PODS.objectPath(pod.objectName()) + "/binding",
                        Map.of(),
                        new ApiRequest.Body(ApiRequest.JSON, body.getBytes(StandardCharsets.UTF_8))))
                .code();
        assertThat(code).isEqualTo(201);
    }

    /** The kubelet reports a state of a pod. */
    protected final void report(Pod pod, String phase, boolean isReady) {
        phases.put(pod.metadata().name(), phase);
        note(pod.metadata().name() + " is " + phase + (isReady ? " and ready" : ""));
        pods.patch(
                pod.objectName(),
                Patch.merge("""
                        {"status":{"phase":"%s","conditions":[{"type":"Ready","status":"%s","lastTransitionTime":"%s"}\
                        ]}}""".formatted(phase, isReady ? "True" : "False", clock.instant())),
                "status");
    }

    /**
     * Returns whether the last report about a pod of this name was that it has ended; the controller may have read it
     * live.
     */
    protected final boolean hasEnded(String pod) {
        String phase = phases.getOrDefault(pod, "");
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    /** Somebody harms a pod. */
    protected final void somebodyHarmsAPod() {
        List<Pod> live = live();
        if (live.isEmpty()) {
            return;
        }
        Pod pod = live.get(random.nextInt(live.size()));
        switch (random.nextInt(4)) {
            case 0 -> delete(pod, 0);
            case 1 -> delete(pod, 30);
            case 2 -> report(pod, random.nextBoolean() ? "Failed" : "Succeeded", false);
            default -> report(pod, "Running", false);
        }
    }

    private void delete(Pod pod, long grace) {
        note("the end of " + pod.metadata().name());
        pods.delete(pod.objectName(), new DeleteOptions(grace, null, null, null));
    }

    /** Returns the owner at the server. */
    protected final O owner() {
        return owners.get(key);
    }

    /** Returns the pods at the server. */
    protected final List<Pod> live() {
        return pods.list("", ListOptions.NONE).items();
    }

    /** Returns the pods at the server that the owner controls. */
    protected final List<Pod> owned() {
        String uid = owner().metadata().uid();
        return live().stream()
                .filter(pod -> {
                    OwnerReference controller = pod.metadata().controller();
                    return controller != null && controller.uid().equals(uid);
                })
                .toList();
    }

    /** Returns the resource, the key and what has happened. */
    @Override
    public String toString() {
        return type + " " + key + " " + history;
    }
}
