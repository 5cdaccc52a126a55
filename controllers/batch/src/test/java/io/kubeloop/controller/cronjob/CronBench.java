/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.CronJob;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** The controller of CronJobs on an embedded API server, on one thread and in virtual time. */
final class CronBench implements AutoCloseable {

    static final ObjectName KEY = new ObjectName("default", "cron");

    final ManualClock clock;
    final Random random;
    final ResourceClient<CronJob> cronJobs;
    final ResourceClient<Job> jobs;

    /** The names of all jobs that were created. */
    final Set<String> created = new TreeSet<>();

    private final EmbeddedApiServer server;
    private Set<String> present = Set.of();
    SimulatedCronManager leader;

    CronBench(Instant start, long seed) {
        clock = new ManualClock(start);
        random = new Random(seed);
        server = EmbeddedApiServer.builder()
                .clock(clock)
                .random(new Random(seed))
                .build();
        KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
        cronJobs = client.resource(ResourceTypes.CRON_JOBS);
        jobs = client.resource(ResourceTypes.JOBS);
        newLeader();
    }

    @Override
    public void close() {
        server.close();
    }

    void newLeader() {
        SimulatedCronManager manager =
                new SimulatedCronManager(server.transport(), clock, random, asking -> asking == leader, this::written);
        leader = manager;
        manager.start(cronJobs.list("", ListOptions.NONE), jobs.list("", ListOptions.NONE));
    }

    /** No start happens twice: a job of the same name is never created again. */
    private void written(ApiRequest request) {
        List<String> now = names();
        if (request.method().equals("POST") && now.size() > present.size()) {
            now.stream()
                    .filter(name -> !present.contains(name))
                    .forEach(name -> assertThat(created.add(name))
                            .as("%s is created for the first time", name)
                            .isTrue());
        }
        show();
    }

    /** Returns the names of the present jobs. */
    List<String> names() {
        return all().stream().map(job -> job.metadata().name()).toList();
    }

    List<Job> all() {
        return jobs.list("", ListOptions.NONE).items().stream()
                .sorted(Comparator.comparing(job -> job.metadata().name()))
                .toList();
    }

    CronJob cron() {
        return cronJobs.get(KEY);
    }

    void create(String spec) {
        String json = "{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\",\"metadata\":{\"name\":\"cron\",\"namespace\":"
                + "\"default\"},\"spec\":{" + spec
                + ",\"jobTemplate\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{"
                + "\"template\":{\"spec\":{\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"c\","
                + "\"image\":\"i\"}]}}}}}}";
        cronJobs.create(JsonCodec.standard()
                .decode(ResourceTypes.CRON_JOBS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
        show();
    }

    void patch(String patch) {
        cronJobs.patch(KEY, Patch.merge(patch));
        show();
    }

    void show() {
        present = Set.copyOf(names());
        leader.cronJobs.serverHas(cronJobs.list("", ListOptions.NONE));
        leader.jobs.serverHas(jobs.list("", ListOptions.NONE));
    }

    /** Ends a job. */
    void end(Job job, boolean succeeds) {
        String now = new Time(clock.instant()).toString();
        String condition =
                ",\"status\":\"True\",\"lastTransitionTime\":\"" + now + "\",\"reason\":\"r\",\"message\":\"m\"}";
        String end = succeeds
                ? "{\"type\":\"SuccessCriteriaMet\"" + condition + ",{\"type\":\"Complete\"" + condition
                : "{\"type\":\"FailureTarget\"" + condition + ",{\"type\":\"Failed\"" + condition;
        jobs.patch(
                job.objectName(),
                Patch.merge("{\"status\":{\"startTime\":\"" + job.metadata().creationTimestamp() + "\","
                        + (succeeds ? "\"completionTime\":\"" + now + "\",\"succeeded\":1," : "") + "\"conditions\":["
                        + end
                        + "]}}"),
                "status");
        show();
    }

    void delete(Job job) {
        jobs.delete(job.objectName(), new DeleteOptions(0L, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
        show();
    }

    /** Lets the controller see everything and work until nothing is due. */
    void work() {
        show();
        while (leader.cronJobs.deliver()
                || leader.jobs.deliver()
                || leader.cronEvents.tell()
                || leader.jobEvents.tell()
                || !leader.processNextWorkItem().isEmpty()) {
            // One or the other: each may make work for the others.
        }
    }

    void pass(Duration time) {
        clock.advance(time);
        work();
    }

    List<String> events() {
        return leader.events.events().stream().map(FakeRecorder.Recorded::text).toList();
    }
}
