/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts of a job's spec, one at a time. */
class JobSyncTest {

    private final JobBench bench = new JobBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private JobStatus status() {
        return bench.job().status();
    }

    private Pod running(int number) {
        return bench.running().get(number);
    }

    @Test
    void noCompletions_oneSuccessEndsTheJob_whenTheOthersHaveEnded() {
        bench.create("\"parallelism\":2");

        bench.end(running(0), 0);
        assertThat(bench.running())
                .as("no pod is started after the first success")
                .hasSize(1);
        assertThat(bench.conditions()).isEmpty();
        bench.end(running(0), 1);

        assertThat(bench.conditions())
                .containsExactly("SuccessCriteriaMet CompletionsReached", "Complete CompletionsReached");
        assertThat(status().succeeded()).isEqualTo(1);
        assertThat(status().failed()).isEqualTo(1);
        assertThat(bench.metrics())
                .containsEntry("job_controller_jobs_finished_total[NonIndexed, succeeded, CompletionsReached]", 1.0)
                .containsEntry("job_controller_job_pods_finished_total[NonIndexed, succeeded]", 1.0)
                .containsEntry("job_controller_job_pods_finished_total[NonIndexed, failed]", 1.0)
                .containsEntry("job_controller_job_syncs_total[NonIndexed, success, pods_created]", 1.0);
    }

    @Test
    void metrics_countCreationsByReason_indexesAndFinalizersOfPods() {
        bench.create("\"completions\":2,\"parallelism\":2,\"completionMode\":\"Indexed\",\"backoffLimitPerIndex\":1");
        bench.end(running(0), 1);
        bench.pass(Duration.ofSeconds(11));
        bench.end(running(0), 1);
        bench.end(running(0), 0);

        assertThat(bench.metrics())
                .containsEntry("job_controller_job_pods_creation_total[new, succeeded]", 2.0)
                .containsEntry("job_controller_job_pods_creation_total[recreate_terminating_or_failed, succeeded]", 1.0)
                .containsEntry("job_controller_job_finished_indexes_total[succeeded, perIndex]", 1.0)
                .containsEntry("job_controller_job_finished_indexes_total[failed, perIndex]", 1.0)
                .containsEntry("job_controller_job_pods_finished_total[Indexed, succeeded]", 1.0)
                .containsEntry("job_controller_job_pods_finished_total[Indexed, failed]", 2.0)
                .containsEntry("job_controller_terminated_pods_tracking_finalizer_total[add]", 3.0)
                .containsEntry("job_controller_terminated_pods_tracking_finalizer_total[delete]", 3.0);
    }

    @Test
    void metrics_countFailuresByTheRuleThatTheyMatch() {
        bench.create("\"completions\":3,\"parallelism\":3,\"backoffLimit\":9,\"podFailurePolicy\":{\"rules\":["
                + "{\"action\":\"Ignore\",\"onExitCodes\":{\"operator\":\"In\",\"values\":[42]}},"
                + "{\"action\":\"Count\",\"onExitCodes\":{\"operator\":\"In\",\"values\":[43]}}]}");
        List<Pod> pods = bench.running();
        bench.end(pods.get(0), 42);
        bench.end(pods.get(1), 43);
        bench.end(pods.get(2), 44);

        assertThat(bench.metrics())
                .containsEntry("job_controller_pod_failures_handled_by_failure_policy_total[Ignore]", 1.0)
                .containsEntry("job_controller_pod_failures_handled_by_failure_policy_total[Count]", 1.0)
                .containsEntry("job_controller_job_pods_finished_total[NonIndexed, failed]", 2.0);
    }

    @Test
    void metrics_countJobsOfOtherControllers() {
        bench.create("\"managedBy\":\"example.com/other\"");

        assertThat(bench.metrics())
                .containsExactly(Map.entry("job_controller_jobs_by_external_controller_total[example.com/other]", 1.0));
    }

    @Test
    void failedPod_isReplacedAfterTenSeconds_andThenTwenty() {
        bench.create("\"completions\":1,\"backoffLimit\":5");

        bench.end(running(0), 1);
        assertThat(bench.running()).isEmpty();
        bench.pass(Duration.ofSeconds(11));
        assertThat(bench.running()).hasSize(1);
        bench.end(running(0), 1);
        bench.pass(Duration.ofSeconds(3));
        assertThat(bench.running()).isEmpty();
        bench.pass(Duration.ofSeconds(15));
        assertThat(bench.running()).hasSize(1);
    }

    @Test
    void limitPerIndex_countsFailuresInTheAnnotation_andFailsTheIndex() {
        bench.create("\"completions\":2,\"parallelism\":2,\"completionMode\":\"Indexed\",\"backoffLimitPerIndex\":1");

        bench.end(running(0), 1);
        bench.pass(Duration.ofSeconds(11));
        assertThat(running(0).metadata().annotations())
                .containsEntry(PodIndexes.INDEX, "0")
                .containsEntry(PodIndexes.FAILURES, "1");
        bench.end(running(0), 1);
        assertThat(status().failedIndexes()).isEqualTo("0");
        bench.end(running(0), 0);

        assertThat(bench.conditions()).containsExactly("FailureTarget FailedIndexes", "Failed FailedIndexes");
        assertThat(status().completedIndexes()).isEqualTo("1");
        assertThat(status().failed()).isEqualTo(2);
    }

    @Test
    void maxFailedIndexes_endsTheJobBeforeTheOtherIndexes() {
        bench.create("\"completions\":3,\"parallelism\":3,\"completionMode\":\"Indexed\",\"backoffLimitPerIndex\":0,"
                + "\"maxFailedIndexes\":0");

        bench.end(running(1), 1);

        assertThat(bench.conditions()).containsExactly("FailureTarget MaxFailedIndexesExceeded");
        assertThat(bench.running()).isEmpty();
        assertThat(status().terminating()).isEqualTo(2);
        bench.all().stream().filter(pod -> pod.metadata().isDeleting()).forEach(this::vanish);
        assertThat(bench.conditions())
                .containsExactly("FailureTarget MaxFailedIndexesExceeded", "Failed MaxFailedIndexesExceeded");
        assertThat(status().failed()).as("pods of a failed job count as failed").isEqualTo(3);
    }

    private void vanish(Pod pod) {
        bench.pods.delete(pod.objectName(), new DeleteOptions(0L, null, null, null));
        bench.work();
    }

    @Test
    void failIndexRule_failsTheIndexAtOnce_andIgnoredFailuresDoNotCount() {
        bench.create("\"completions\":2,\"parallelism\":2,\"completionMode\":\"Indexed\",\"backoffLimitPerIndex\":3,"
                + "\"podFailurePolicy\":{\"rules\":[{\"action\":\"FailIndex\",\"onExitCodes\":{\"operator\":\"In\","
                + "\"values\":[42]}},"
                + "{\"action\":\"Ignore\",\"onExitCodes\":{\"operator\":\"NotIn\",\"values\":[1]}}]}");

        bench.end(running(0), 42);
        assertThat(status().failedIndexes()).isEqualTo("0");
        bench.end(running(0), 7);
        bench.pass(Duration.ofSeconds(11));

        assertThat(running(0).metadata().annotations())
                .containsEntry(PodIndexes.INDEX, "1")
                .containsEntry(PodIndexes.FAILURES, "0")
                .containsEntry(PodIndexes.IGNORED_FAILURES, "1");
        assertThat(status().failed()).isEqualTo(1);
    }

    @Test
    void failJobRule_endsTheJob_andTheConditionNamesContainerCodeAndRule() {
        bench.create("\"completions\":1,\"podFailurePolicy\":{\"rules\":[{\"action\":\"FailJob\",\"onExitCodes\":{"
                + "\"containerName\":\"c\",\"operator\":\"In\",\"values\":[3]}}]}");
        Pod pod = running(0);

        bench.end(pod, 3);

        assertThat(bench.conditions()).containsExactly("FailureTarget PodFailurePolicy", "Failed PodFailurePolicy");
        assertThat(status().conditions().get(0).message())
                .isEqualTo("Container c for pod default/" + pod.metadata().name()
                        + " failed with exit code 3 matching FailJob rule at index 0");
    }

    @Test
    void terminatingPod_isReplacedAtOnce_orOnlyAfterItsEnd() {
        bench.create("\"completions\":1,\"podReplacementPolicy\":\"Failed\"");
        bench.delete(running(0));
        assertThat(bench.running()).isEmpty();
        assertThat(status().terminating()).isEqualTo(1);
        Pod terminating = bench.all().get(0);
        bench.end(terminating, 1);
        bench.pass(Duration.ofSeconds(11));
        assertThat(bench.running()).hasSize(1);
        assertThat(status().failed()).isEqualTo(1);
    }

    @Test
    void restartsOfContainers_countWithTheRestartPolicyOnFailure() {
        bench.create(
                "job",
                "\"completions\":1,\"backoffLimit\":2",
                "{\"restartPolicy\":\"OnFailure\",\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}"
                        + "]}");

        bench.status(
                running(0),
                "{\"phase\":\"Running\",\"containerStatuses\":[{\"name\":\"c\",\"image\":\"i\",\"imageID\":\"i\","
                        + "\"ready\":true,"
                        + "\"restartCount\":2,\"state\":{\"running\":{}}}]}");

        assertThat(bench.conditions()).containsExactly("FailureTarget BackoffLimitExceeded");
    }

    @Test
    void managedByAnotherController_isLeftAlone() {
        bench.create("\"completions\":1,\"managedBy\":\"example.com/other\"");

        assertThat(bench.all()).isEmpty();
        assertThat(bench.writes).isEmpty();
    }

    @Test
    void orphan_isAdoptedWithTheFinalizer_andReleasedWithoutIt() {
        bench.create("\"completions\":2,\"parallelism\":2");
        Pod pod = running(0);
        bench.pods.patch(
                pod.objectName(),
                Patch.merge("{\"metadata\":{\"labels\":{\"batch.kubernetes.io/controller-uid\":\"another\"}}}"));
        bench.work();

        Pod released = bench.pods.get(pod.objectName());
        assertThat(released.metadata().controller()).isNull();
        assertThat(released.metadata().finalizers()).isEmpty();
        assertThat(bench.running()).as("with a replacement").hasSize(3);

        bench.pods.update(released.withMetadata(ObjectMetaBuilder.builder(released.metadata())
                .labels(Map.copyOf(pod.metadata().labels()))
                .build()));
        bench.work();
        Pod adopted = bench.pods.get(pod.objectName());
        assertThat(bench.running()).as("one pod is too many").hasSize(2);
        assertThat(adopted.metadata().controller()).isNotNull();
    }

    @Test
    void indexedPods_carryIndexHostNameAndVariable_alsoInInitContainers() {
        bench.create(
                "job",
                "\"completions\":1,\"completionMode\":\"Indexed\"",
                "{\"restartPolicy\":\"Never\",\"initContainers\":[{\"name\":\"i\",\"image\":\"i\"}],"
                        + "\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"env\":[{\"name\":\"A\",\"value\":\"b\"}]}"
                        + "]}");

        Pod pod = running(0);
        assertThat(pod.metadata().name()).startsWith("job-0-");
        assertThat(pod.spec().hostname()).isEqualTo("job-0");
        assertThat(pod.metadata().labels()).containsEntry(PodIndexes.INDEX, "0");
        assertThat(pod.spec().containers().get(0).env())
                .extracting(variable -> variable.name())
                .containsExactly("A", "JOB_COMPLETION_INDEX");
        assertThat(pod.spec().initContainers().get(0).env()).hasSize(1);
    }

    @Test
    void everyPod_isCreatedOnce_andLosesItsFinalizerOnce() {
        bench.create("\"completions\":3,\"parallelism\":3");
        List<Pod> pods = bench.running();
        pods.forEach(pod ->
                bench.pods.patch(pod.objectName(), Patch.merge("{\"status\":{\"phase\":\"Succeeded\"}}"), "status"));
        bench.work();

        assertThat(status().succeeded()).isEqualTo(3);
        assertThat(bench.writes.stream().filter(write -> write.startsWith("POST")))
                .hasSize(3);
        assertThat(bench.writes.stream().filter(write -> write.startsWith("PATCH")))
                .hasSize(3);
    }
}
