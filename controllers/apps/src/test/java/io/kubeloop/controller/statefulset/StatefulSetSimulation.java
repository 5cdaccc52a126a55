/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetSpec;
import io.kubeloop.api.apps.StatefulSetStatus;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.history.RevisionData;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A StatefulSet in a world that goes wrong; see {@link WorkloadSimulation}. */
final class StatefulSetSimulation extends WorkloadSimulation<StatefulSet> {

    private static final ObjectName KEY = new ObjectName("default", "db");

    private final String policy;

    /** The UIDs of the pods after the last write: a name does not identify a pod that was made again. */
    private final Set<String> uids = new HashSet<>();

    /** The number of syncs that began while the cache of pods was behind. */
    int staleSyncs;

    private LaggingCache<StatefulSet> sets = new LaggingCache<>();
    private LaggingCache<Pod> cachedPods = new LaggingCache<>();

    /** The last version in which a pod of each name was ready. */
    private final Map<ObjectName, Long> lastReady = new HashMap<>();

    /** The version in which the last pod of each name was made. */
    private final Map<ObjectName, Long> made = new HashMap<>();

    StatefulSetSimulation(long seed) {
        super(seed, ResourceTypes.STATEFUL_SETS, KEY);
        policy = random.nextInt(3) == 0 ? StatefulSetSpec.PARALLEL : "OrderedReady";
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        StatefulWiring wiring = new StatefulWiring(process, clock, resource -> {
            staleSyncs += resource.equals(ResourceTypes.PODS) ? 1 : 0;
        });
        sets = wiring.sets;
        cachedPods = wiring.pods;
        return wiring.sync::syncStatefulSet;
    }

    @Override
    protected void create() {
        create(ResourceTypes.STATEFUL_SETS, """
                {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"default"},
                 "spec":{"replicas":3,"serviceName":"db","revisionHistoryLimit":2,"podManagementPolicy":"%s",\
                "minReadySeconds":%d,
                         "selector":{"matchLabels":{"app":"db"}},
                         "template":{"metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"name":"c","image":"i0"}\
                ]}},
                         "volumeClaimTemplates":[{"metadata":{"name":"data"},
                            "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}\
                }""".formatted(policy, random.nextInt(2) * 20));
    }

    /** Makes another revision with the name that the first one of the set would have; returns the name of the next. */
    String collide() {
        String data = RevisionData.of(owner().spec().template());
        create(
                ResourceTypes.CONTROLLER_REVISIONS,
                "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"},\"revision\":1,\"data\":{\"other\":1}}"
                        .formatted(RevisionData.name("db", RevisionData.hash(data, 0))));
        worldChanged();
        return RevisionData.name("db", RevisionData.hash(data, 1));
    }

    /** Returns the status of the set at the server. */
    StatefulSetStatus status() {
        return owner().status();
    }

    @Override
    protected void somebodyActs() {
        switch (random.nextInt(6)) {
            case 0, 1 -> patch("{\"spec\":{\"replicas\":" + random.nextInt(5) + "}}");
            case 2 ->
                patch("[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":\"i"
                        + random.nextInt(4) + "\"}]");
            case 3 ->
                patch("{\"spec\":{\"updateStrategy\":{\"rollingUpdate\":{\"partition\":" + random.nextInt(3) + "}}}}");
            default -> somebodyHarmsAPod();
        }
    }

    /**
     * Somebody also removes ended pods above the wanted ones: two of them hold up a scale down indefinitely, as
     * upstream.
     */
    @Override
    protected void collectGarbage() {
        super.collectGarbage();
        StatefulSet set = owner();
        for (Pod pod : owned()) {
            if (pod.isFinished()
                    && !Ordinals.isWanted(set, Ordinals.of(pod.metadata().name()))) {
                note("somebody removes " + pod.metadata().name());
                pods.delete(pod.objectName(), new DeleteOptions(0L, null, null, null));
            }
        }
        worldChanged();
    }

    /**
     * What the controller does to a pod must be right for what it can know: the state in its cache, or one that came
     * later.
     */
    @Override
    protected void check(ApiRequest write) {
        List<Pod> created = owned().stream()
                .filter(pod -> !uids.contains(pod.metadata().uid()))
                .toList();
        // Also of a set that was replaced meanwhile, which the controller does not know yet.
        live().stream()
                .filter(pod -> uids.add(pod.metadata().uid()))
                .forEach(pod -> made.put(pod.objectName(), version(pod)));
        StatefulSet seen = sets.get(KEY);
        if (seen == null || !write.path().contains("/pods") || write.path().contains("/status")) {
            return;
        }
        if (write.method().equals("POST") && policy.equals("OrderedReady")) {
            for (Pod pod : created) {
                for (int i = Ordinals.start(seen);
                        i < Ordinals.of(pod.metadata().name());
                        i++) {
                    assertThat(mayBeReady(seen, i))
                            .as(
                                    "the pod before %s is ready, %d, after %s",
                                    pod.metadata().name(), i, history)
                            .isTrue();
                }
            }
        }
        if (write.method().equals("DELETE")) {
            String name = write.path().substring(write.path().lastIndexOf('/') + 1);
            ObjectName key = new ObjectName("default", name);
            Pod known = cachedPods.get(key);
            int ordinal = Ordinals.of(name);
            if (known == null || known.isFinished() || hasEnded(name) || !Ordinals.isWanted(seen, ordinal)) {
                return;
            }
            boolean wasNeverReady = lastReady.getOrDefault(key, -1L) < made.getOrDefault(key, 0L);
            if (policy.equals(StatefulSetSpec.PARALLEL)
                    && (wasNeverReady
                            || SetPods.isUnavailable(known, seen.spec().minReadySeconds(), clock.instant()))) {
                return; // it counts as unavailable already
            }
            // A wanted pod goes for the update alone: one at a time, from above.
            for (int i = ordinal + 1; i < Ordinals.start(seen) + Ordinals.replicas(seen); i++) {
                assertThat(mayBeReady(seen, i))
                        .as("the pod above %s is ready, %d, after %s", name, i, history)
                        .isTrue();
            }
        }
    }

    private boolean mayBeReady(StatefulSet set, int ordinal) {
        ObjectName name = new ObjectName("default", Ordinals.podName(set, ordinal));
        Pod cached = cachedPods.get(name);
        return (cached != null && cached.isReady())
                || lastReady.getOrDefault(name, -1L) >= (cached == null ? 0 : version(cached));
    }

    private static long version(Pod pod) {
        return Long.parseLong(pod.metadata().resourceVersion());
    }

    @Override
    protected void worldChanged() {
        live().stream().filter(Pod::isReady).forEach(pod -> lastReady.put(pod.objectName(), version(pod)));
        super.worldChanged();
    }

    @Override
    protected void checkSettled() {
        StatefulSet set = owner();
        StatefulSetStatus status = set.status();
        List<Pod> pods = owned();
        assertThat(pods)
                .as("pods, after %s", history)
                .hasSize(Ordinals.replicas(set))
                .allMatch(Pod::isReady)
                .allMatch(
                        pod -> Ordinals.isWanted(set, Ordinals.of(pod.metadata().name())))
                .allMatch(pod -> Ordinals.of(pod.metadata().name()) < SetPods.partition(set)
                        || StatefulPods.revision(pod).equals(status.updateRevision()));
        assertThat(status)
                .as("status, after %s", history)
                .matches(s -> s.replicas() == pods.size())
                .matches(s -> s.availableReplicas() == pods.size())
                .matches(s -> s.observedGeneration() == set.metadata().generation());
        List<ControllerRevision> revisions = client.resource(ResourceTypes.CONTROLLER_REVISIONS)
                .list("", ListOptions.NONE)
                .items();
        assertThat(revisions)
                .as("history, after %s", history)
                .filteredOn(revision -> revision.metadata().ownerReferences().stream()
                        .anyMatch(owner -> owner.uid().equals(set.metadata().uid())))
                .hasSizeLessThanOrEqualTo(4);
    }
}
