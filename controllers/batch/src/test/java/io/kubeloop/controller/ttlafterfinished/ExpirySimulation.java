/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttlafterfinished;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WorkloadSimulation;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job that ends and expires, in a world that goes wrong; see {@link WorkloadSimulation}. */
final class ExpirySimulation extends WorkloadSimulation<Job> {

    private static final ObjectName KEY = new ObjectName("default", "job");

    ExpirySimulation(long seed) {
        super(seed, ResourceTypes.JOBS, KEY);
        create();
        lead();
    }

    @Override
    protected Consumer<ObjectName> controller(SimulatedProcess process) {
        LaggingCache<Job> cached = new LaggingCache<>();
        TtlAfterFinishedController.Sync sync = new TtlAfterFinishedController.Sync(
                cached, process.client().resource(ResourceTypes.JOBS), process.queue, ControllerMetrics.NONE, clock);
        process.cache(ResourceTypes.JOBS, cached, sync.handler());
        return sync::syncJob;
    }

    @Override
    protected void create() {
        create(ResourceTypes.JOBS, """
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default"},
                 "spec":{"ttlSecondsAfterFinished":%s,
                         "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}\
                }""".formatted(ttl()));
    }

    private String ttl() {
        return random.nextInt(3) == 0 ? "null" : String.valueOf(random.nextInt(600));
    }

    private @Nullable Job job() {
        List<Job> jobs = owners.list("", ListOptions.NONE).items();
        return jobs.isEmpty() ? null : jobs.get(0);
    }

    @Override
    protected void somebodyActs() {
        Job job = job();
        if (job == null) {
            note("a job is created");
            create();
        } else if (job.isFinished() || random.nextInt(4) == 0) {
            patch("{\"spec\":{\"ttlSecondsAfterFinished\":" + ttl() + "}}");
        } else {
            finish();
        }
    }

    private void finish() {
        note("the job ends");
        String now = new Time(clock.instant()).toString();
        String condition =
                ",\"status\":\"True\",\"lastTransitionTime\":\"" + now + "\",\"reason\":\"r\",\"message\":\"m\"}";
        owners.patch(
                KEY,
                Patch.merge("{\"status\":{\"startTime\":\"" + now + "\",\"conditions\":[{\"type\":\"FailureTarget\""
                        + condition + ",{\"type\":\"Failed\"" + condition + "]}}"),
                "status");
    }

    /** Another job of the name may be there when a deletion arrives. */
    @Override
    protected void race() {
        replace();
    }

    @Override
    protected void replace() {
        note("the job is replaced by another of its name");
        Job job = job();
        if (job != null) {
            owners.delete(KEY, new DeleteOptions(null, DeleteOptions.PropagationPolicy.BACKGROUND, null, null));
            collectGarbage();
        }
        create();
        worldChanged();
    }

    /** A job that is deleted in the foreground goes, because it has no pods. */
    @Override
    protected void collectGarbage() {
        Job job = job();
        if (job != null && job.metadata().isDeleting()) {
            note("the job goes");
            owners.patch(KEY, Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
            worldChanged();
        }
    }

    @Override
    protected String node(Pod pod) {
        throw new IllegalStateException("there are no pods");
    }

    @Override
    protected void check(ApiRequest write) {
        assertThat(write.method()).isEqualTo("DELETE");
        Job job = job();
        if (job != null && job.metadata().isDeleting()) {
            assertThat(end(job)).as("deleted, after %s", history).isBeforeOrEqualTo(clock.instant());
        }
    }

    /** Returns the time at which the job may be deleted. */
    private static Instant end(Job job) {
        Integer ttl = job.spec().ttlSecondsAfterFinished();
        return ttl == null || !job.isFinished()
                ? Instant.MAX
                : job.finishedCondition().lastTransitionTime().instant().plusSeconds(ttl);
    }

    @Override
    protected void checkSettled() {
        Job job = job();
        if (job != null) {
            assertThat(end(job)).as("%s is left, after %s", job.spec(), history).isEqualTo(Instant.MAX);
        }
    }
}
