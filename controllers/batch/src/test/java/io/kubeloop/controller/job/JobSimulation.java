/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.batch.UncountedTerminatedPods;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.simulation.SeededSimulation;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One job, a real (embedded) API server, and a world that goes wrong: watches lag, break and lose changes, handlers
 * fall behind, requests and answers get lost, other processes take the lead, also in the middle of a sync, people
 * change the parallelism, suspend, resume, replace and delete pods, and pods succeed, fail and vanish. One thread,
 * virtual time; every choice comes from the seed.
 */
final class JobSimulation extends SeededSimulation {

    private static final ObjectName KEY = new ObjectName("default", "job");
    private static final ListOptions EVERYTHING = ListOptionsBuilder.builder().build();
    private static final int SETTLE_ROUNDS = 100;
    private static final DeleteOptions NOW = new DeleteOptions(0L, null, null, null);

    private final ResourceClient<Job> jobs;
    private final ResourceClient<Pod> pods;
    private final boolean isIndexed;
    private final boolean replacesFailed;
    private final int completions;
    private final String manifest;

    /** The allowed number of active pods by version of the job. */
    private final NavigableMap<Long, Integer> allowedByVersion = new TreeMap<>();

    /**
     * The UIDs of the job's tracked pods that have succeeded and failed, and of those that were deleted while tracked.
     */
    private final Set<String> succeeded = new HashSet<>();

    private final Set<String> failed = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();

    /**
     * The UIDs of pods with the finalizer, and of those that lost it without being counted: the controller saw them
     * run.
     */
    private final Set<String> tracked = new HashSet<>();

    private final Set<String> released = new HashSet<>();
    private SimulatedJobManager manager;

    JobSimulation(long seed) {
        super(seed, new Odds(30, 55, 74, 82, 86, 90, 93));
        jobs = client.resource(ResourceTypes.JOBS);
        pods = client.resource(ResourceTypes.PODS);
        isIndexed = random.nextBoolean();
        replacesFailed = random.nextInt(3) == 0;
        completions = 1 + random.nextInt(6);
        manifest = manifest();
        note(manifest);
        create();
        lead();
    }

    private String manifest() {
        String limits = isIndexed && random.nextBoolean()
                ? "\"backoffLimitPerIndex\":" + random.nextInt(3)
                : "\"backoffLimit\":" + random.nextInt(8);
        return """
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default"},
                 "spec":{"parallelism":%d,"completions":%d,"completionMode":"%s","podReplacementPolicy":"%s",%s,
                         "template":{"metadata":{"labels":{"app":"job"}},"spec":{"restartPolicy":"Never",%s
                                     "containers":[{"name":"c","image":"i"}]}}}}""".formatted(
                        1 + random.nextInt(4),
                        completions,
                        isIndexed ? "Indexed" : "NonIndexed",
                        replacesFailed ? "Failed" : "TerminatingOrFailed",
                        limits,
                        random.nextBoolean() ? "\"nodeName\":\"n\"," : "");
    }

    @Override
    protected void usersAct() {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> patch("parallelism", "{\"spec\":{\"parallelism\":" + random.nextInt(5) + "}}");
            case 3, 4 -> patch("suspend or resume", "{\"spec\":{\"suspend\":" + random.nextBoolean() + "}}");
            case 5, 6 -> deletePod();
            default -> replace();
        }
    }

    @Override
    protected Duration time() {
        return Duration.ofSeconds(random.nextBoolean() ? 1 : random.nextInt(400));
    }

    /** With no more faults every watch finds what it lost, and the job ends without any further push. */
    @Override
    protected void settle() {
        patch("resume", "{\"spec\":{\"suspend\":false,\"parallelism\":2}}");
        calm(SETTLE_ROUNDS, Duration.ofSeconds(30), this::othersFinish);
        Job job = jobs.get(KEY);
        JobCondition end = job.finishedCondition();
        assertThat(end).as("end of %s, after %s", job.status(), history).isNotNull();
        assertThat(allPods()).as("pods with a finalizer, after %s", history).noneMatch(Jobs::isTracked);
        assertThat(job.status().active() + job.status().ready() + job.status().terminating())
                .as("left over of %s, after %s", job.status(), history)
                .isZero();
        if (end.type().equals(JobCondition.COMPLETE)) {
            assertThat(job.status().succeeded())
                    .as("successes of %s, after %s", job.status(), history)
                    .isEqualTo(completions);
        }
        if (!isIndexed) {
            assertThat(job.status().succeeded())
                    .as("counted successes of %s, after %s", job.status(), history)
                    .isGreaterThanOrEqualTo(certain(succeeded));
        }
        assertThat(job.status().failed())
                .as("counted failures of %s, after %s", job.status(), history)
                .isGreaterThanOrEqualTo(certain(failed));
    }

    /**
     * Returns the number of pods that must count: a pod that is deleted before its end is known may count as failed or
     * not at all.
     */
    private int certain(Set<String> ended) {
        Set<String> certain = new HashSet<>(ended);
        certain.removeAll(deleted);
        certain.removeAll(released);
        return certain.size();
    }

    // -- the controller's side

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        manager = new SimulatedJobManager(process, clock);
        return manager::syncJob;
    }

    @Override
    protected String processNextWorkItem(Consumer<ObjectName> sync) {
        return manager.processNextWorkItem();
    }

    @Override
    protected void beforeWrite(ApiRequest request) {
        meanwhile(30, 70);
    }

    @Override
    protected void race() {
        othersWork();
    }

    @Override
    protected void afterWrite(ApiRequest request) {
        worldChanged();
        if (request.method().equals("POST") && request.path().endsWith("/pods")) {
            checkPods();
        }
        checkCounts();
    }

    /** A creation leaves no more active pods than the parallelism and the completions allow, and one per index. */
    private void checkPods() {
        List<Pod> owned = owned();
        List<Pod> active = owned.stream().filter(Pods::isPodActive).toList();
        Job seen = manager.jobs.get(KEY);
        if (seen == null
                || !seen.metadata().uid().equals(jobs.get(KEY).metadata().uid())) {
            return;
        }
        // The controller may not have received the latest numbers yet: any that were wanted since then are allowed.
        long version = Long.parseLong(seen.metadata().resourceVersion());
        Long from = allowedByVersion.floorKey(version);
        int allowed = allowedByVersion.tailMap(from == null ? version : from).values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        long terminating =
                replacesFailed ? owned.stream().filter(Pods::isPodTerminating).count() : 0;
        assertThat(active.size() + terminating)
                .as("active pods, after %s", history)
                .isLessThanOrEqualTo(allowed);
        if (isIndexed) {
            assertThat(active.stream().map(PodIndexes::of))
                    .as("indexes, after %s", history)
                    .doesNotHaveDuplicates();
        } else {
            assertThat(active.size() + certain(succeeded))
                    .as("active and succeeded pods, after %s", history)
                    .isLessThanOrEqualTo(completions);
        }
    }

    /** No pod counts twice. */
    private void checkCounts() {
        Job job = jobs.get(KEY);
        UncountedTerminatedPods uncounted = job.status().uncountedTerminatedPods();
        int listedSuccesses = uncounted == null ? 0 : uncounted.succeeded().size();
        int listedFailures = uncounted == null ? 0 : uncounted.failed().size();
        Set<String> failures = new HashSet<>(failed);
        failures.addAll(deleted);
        assertThat(job.status().succeeded() + listedSuccesses)
                .as("successes of %s, after %s", job.status(), history)
                .isLessThanOrEqualTo(succeeded.size());
        assertThat(job.status().failed() + listedFailures)
                .as("failures of %s, after %s", job.status(), history)
                .isLessThanOrEqualTo(failures.size());
    }

    // -- the others

    private void create() {
        jobs.create(JsonCodec.standard()
                .decode(ResourceTypes.JOBS, new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8))));
        succeeded.clear();
        failed.clear();
        deleted.clear();
        tracked.clear();
        released.clear();
        worldChanged();
    }

    private void patch(String what, String patch) {
        note(what + " " + patch);
        jobs.patch(KEY, Patch.merge(patch));
        worldChanged();
    }

    private void replace() {
        note("the job is replaced by another of its name");
        jobs.delete(KEY, new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
        if (random.nextBoolean()) {
            worldChanged();
        }
        create();
    }

    private void deletePod() {
        List<Pod> owned = owned();
        if (!owned.isEmpty()) {
            Pod pod = owned.get(random.nextInt(owned.size()));
            note("somebody deletes " + pod.metadata().name());
            pods.delete(pod.objectName(), DeleteOptions.DEFAULT);
            worldChanged();
        }
    }

    /** A pod runs, ends or vanishes; the garbage collector deletes the pods of a job that is gone. */
    @Override
    protected void othersWork() {
        List<Pod> all = allPods();
        if (all.isEmpty()) {
            return;
        }
        Pod pod = all.get(random.nextInt(all.size()));
        if (!isOwned(pod) || (pod.metadata().isDeleting() && random.nextBoolean())) {
            vanish(pod);
        } else if (!pod.isFinished()) {
            int choice = random.nextInt(5);
            end(pod, choice < 2 ? "Running" : choice < 4 ? "Succeeded" : "Failed");
        }
    }

    private void othersFinish() {
        allPods().forEach(pod -> {
            if (pod.metadata().isDeleting() || !isOwned(pod)) {
                vanish(pod);
            } else if (!pod.isFinished()) {
                end(pod, "Succeeded");
            }
        });
    }

    /** A kubelet, or the collector of pods without a node, ends a pod before it removes it. */
    private void vanish(Pod pod) {
        if (!pod.isFinished()) {
            end(pod, "Failed");
        }
        note(pod.metadata().name() + " vanishes");
        pods.delete(pod.objectName(), NOW);
        worldChanged();
    }

    private void end(Pod pod, String phase) {
        note(pod.metadata().name() + " " + phase);
        String ready = phase.equals("Running") ? "True" : "False";
        pods.patch(
                pod.objectName(),
                Patch.merge("{\"status\":{\"phase\":\"" + phase + "\",\"conditions\":[{\"type\":\"Ready\",\"status\":\""
                        + ready + "\",\"lastTransitionTime\":\"" + new Time(clock.instant()) + "\"}]}}"),
                "status");
        worldChanged();
    }

    // -- the server's side

    private List<Pod> allPods() {
        return pods.list("", EVERYTHING).items();
    }

    private List<Pod> owned() {
        return allPods().stream().filter(this::isOwned).toList();
    }

    private boolean isOwned(Pod pod) {
        OwnerReference controller = pod.metadata().controller();
        return controller != null
                && controller.uid().equals(jobs.get(KEY).metadata().uid());
    }

    @Override
    protected void worldChanged() {
        List<Job> existing = jobs.list("", EVERYTHING).items();
        for (Job job : existing) {
            allowedByVersion.put(
                    Long.parseLong(job.metadata().resourceVersion()),
                    Jobs.isSuspended(job) ? 0 : Jobs.parallelism(job));
        }
        if (!existing.isEmpty()) {
            owned().forEach(this::remember);
        }
        super.worldChanged();
    }

    private void remember(Pod pod) {
        String uid = pod.metadata().uid();
        if (!Jobs.isTracked(pod)) {
            UncountedTerminatedPods uncounted = jobs.get(KEY).status().uncountedTerminatedPods();
            boolean isListed = uncounted != null
                    && (uncounted.succeeded().contains(uid)
                            || uncounted.failed().contains(uid));
            if (tracked.remove(uid) && !isListed) {
                released.add(uid);
            }
            return;
        }
        tracked.add(uid);
        if (pod.metadata().isDeleting()) {
            deleted.add(uid);
        }
        if (JobRun.hasSucceeded(pod)) {
            succeeded.add(uid);
        } else if (pod.isFinished()) {
            failed.add(uid);
        }
    }
}
