/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobCondition;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The job controller on an embedded API server, on one thread and in virtual time. */
final class JobBench implements AutoCloseable {

    static final ObjectName KEY = new ObjectName("default", "job");

    final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    final ResourceClient<Job> jobs;
    final ResourceClient<Pod> pods;
    final List<String> writes = new ArrayList<>();
    private final EmbeddedApiServer server;
    private final SimulatedProcess process;
    private final SimulatedJobManager manager;

    JobBench() {
        server = EmbeddedApiServer.builder().clock(clock).random(new Random(1)).build();
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        jobs = client.resource(ResourceTypes.JOBS);
        pods = client.resource(ResourceTypes.PODS);
        process = new SimulatedProcess(
                server.transport(), clock, new Random(1), asking -> true, request -> {}, this::written);
        manager = new SimulatedJobManager(process, clock);
        process.start();
    }

    @Override
    public void close() {
        server.close();
    }

    private void written(ApiRequest request) {
        writes.add(request.method() + " " + request.path().replaceFirst("/(default|job)/[a-z0-9-]+$", ""));
        process.worldChanged();
    }

    /** Creates a job of these members of its spec, and lets the controller work. */
    void create(String spec) {
        create(
                "job",
                spec,
                "{\"restartPolicy\":\"Never\",\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}");
    }

    void create(String name, String spec, String pod) {
        String json = "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"default\"},\"spec\":{" + spec
                + ",\"template\":{\"metadata\":{\"labels\":{\"app\":\"job\"}},\"spec\":" + pod + "}}}";
        jobs.create(JsonCodec.standard()
                .decode(ResourceTypes.JOBS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
        work();
    }

    /** Lets the controller see everything and work until nothing is due for two seconds. */
    void work() {
        for (int quiet = 0; quiet < 3; ) {
            process.worldChanged();
            boolean busy = false;
            while (process.deliverAll()) {
                busy = true;
            }
            while (!manager.processNextWorkItem().isEmpty()) {
                busy = true;
            }
            quiet = busy ? 0 : quiet + 1;
            clock.advance(Duration.ofSeconds(1));
        }
    }

    void pass(Duration time) {
        clock.advance(time);
        work();
    }

    void patch(String patch) {
        jobs.patch(KEY, Patch.merge(patch));
        work();
    }

    /** Ends a pod with an exit code. */
    void end(Pod pod, int exitCode) {
        String now = new Time(clock.instant()).toString();
        status(
                pod,
                "{\"phase\":\"" + (exitCode == 0 ? "Succeeded" : "Failed")
                        + "\",\"containerStatuses\":[{\"name\":\"c\",\"image\":\"i\",\"imageID\":\"i\","
                        + "\"ready\":false,\"restartCount\":0,"
                        + "\"state\":{\"terminated\":{\"exitCode\":" + exitCode + ",\"startedAt\":\"" + now
                        + "\",\"finishedAt\":\"" + now + "\"}}}]}");
    }

    void status(Pod pod, String status) {
        pods.patch(pod.objectName(), Patch.merge("{\"status\":" + status + "}"), "status");
        work();
    }

    /** Deletes a pod that has the time to end. */
    void delete(Pod pod) {
        pods.delete(pod.objectName(), DeleteOptions.DEFAULT);
        work();
    }

    Job job() {
        return jobs.get(KEY);
    }

    /** Returns the pods that run, by index or age. */
    List<Pod> running() {
        return all().stream()
                .filter(pod -> !pod.isFinished() && !pod.metadata().isDeleting())
                .toList();
    }

    List<Pod> all() {
        return pods.list("default", ListOptions.NONE).items().stream()
                .sorted(Comparator.comparingInt(PodIndexes::of))
                .toList();
    }

    /** Returns the types and reasons of the true conditions. */
    List<String> conditions() {
        return job().status().conditions().stream()
                .filter(JobCondition::isTrue)
                .map(condition -> condition.type() + " " + condition.reason())
                .toList();
    }

    /** Returns the controller's metrics by name and labels. */
    Map<String, Double> metrics() {
        return manager.recorded.values();
    }
}
