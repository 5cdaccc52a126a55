/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReferenceBuilder;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatusBuilder;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.batch.JobConditionBuilder;
import io.kubeloop.api.batch.JobSpecBuilder;
import io.kubeloop.api.batch.JobStatus;
import io.kubeloop.api.batch.JobStatusBuilder;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointAddressBuilder;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.EndpointSubsetBuilder;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodConditionBuilder;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.cache.Lister;
import io.kubeloop.demo.Convergence.Owners;
import io.kubeloop.demo.Convergence.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConvergenceTest {

    private final Listed<ReplicaSet> sets = new Listed<>();
    private final Listed<Service> services = new Listed<>();
    private final Listed<Endpoints> endpoints = new Listed<>();
    private final Listed<Pod> pods = new Listed<>();
    private final Listed<Job> jobs = new Listed<>();
    private final Convergence convergence = new Convergence(
            List.of(
                    new Owners<>(reader(ResourceTypes.REPLICA_SETS), sets),
                    new Owners<>(reader(ResourceTypes.JOBS), jobs)),
            services,
            endpoints,
            pods);

    @SuppressWarnings("unchecked") // the table has one reader for each type
    private static <T extends KubeObject> Owner.Reader<T> reader(ResourceType<T> type) {
        return (Owner.Reader<T>) Owner.KINDS.stream()
                .filter(kind -> kind.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    /** A cache that is a list. */
    private static final class Listed<T extends KubeObject> implements Lister<T> {

        private final List<T> objects = new ArrayList<>();

        @Override
        public T get(ObjectName name) {
            return objects.stream()
                    .filter(o -> o.objectName().equals(name))
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public List<T> list() {
            return objects;
        }

        @Override
        public List<T> list(String namespace) {
            return objects.stream()
                    .filter(o -> o.metadata().namespace().equals(namespace))
                    .toList();
        }
    }

    private void replicaSet(int wanted, int reportedReady, long generation) {
        ObjectMeta meta = ObjectMetaBuilder.builder(ObjectMeta.named("shop", "web"))
                .uid("rs-1")
                .generation(generation)
                .build();
        sets.objects.add(ReplicaSet.of(
                meta,
                ReplicaSetSpecBuilder.builder().replicas(wanted).build(),
                ReplicaSetStatusBuilder.builder()
                        .readyReplicas(reportedReady)
                        .observedGeneration(1)
                        .build()));
    }

    private void pod(String name, String ip, boolean ready) {
        ObjectMeta meta = ObjectMetaBuilder.builder(ObjectMeta.named("shop", name))
                .labels(Map.of("app", "web"))
                .ownerReferences(List.of(OwnerReferenceBuilder.builder()
                        .uid("rs-1")
                        .controller(true)
                        .build()))
                .build();
        pods.objects.add(Pod.of(
                meta,
                PodSpec.EMPTY,
                PodStatusBuilder.builder()
                        .podIP(ip)
                        .phase("Running")
                        .conditions(List.of(PodConditionBuilder.builder()
                                .type("Ready")
                                .status(ready ? "True" : "False")
                                .build()))
                        .build()));
    }

    private void service(String... publishedIps) {
        services.objects.add(Service.of(
                ObjectMeta.named("shop", "web"),
                ServiceSpecBuilder.builder().selector(Map.of("app", "web")).build()));
        List<EndpointAddress> addresses = Arrays.stream(publishedIps)
                .map(ip -> EndpointAddressBuilder.builder().ip(ip).build())
                .toList();
        EndpointSubset subset =
                EndpointSubsetBuilder.builder().addresses(addresses).build();
        endpoints.objects.add(Endpoints.of(ObjectMeta.named("shop", "web"), List.of(subset)));
    }

    @Test
    void rows_everythingAsWanted_areSettled() {
        replicaSet(2, 2, 1);
        pod("a", "10.0.0.1", true);
        pod("b", "10.0.0.2", true);
        service("10.0.0.2", "10.0.0.1");
        assertThat(convergence.rows())
                .containsExactly(
                        new Row("ReplicaSet", new ObjectName("shop", "web"), 2, 2, 2, true),
                        new Row("Service", new ObjectName("shop", "web"), 2, 2, 2, true));
    }

    @Test
    void rows_statusNotReportedYet_areNotSettled() {
        replicaSet(1, 0, 1);
        pod("a", "10.0.0.1", true);
        assertThat(convergence.rows()).extracting(Row::settled).containsExactly(false);
    }

    @Test
    void rows_changeNotObservedYet_areNotSettled() {
        replicaSet(1, 1, 2);
        pod("a", "10.0.0.1", true);
        assertThat(convergence.rows()).extracting(Row::settled).containsExactly(false);
    }

    @Test
    void rows_otherAddressPublished_areNotSettled() {
        pod("a", "10.0.0.1", true);
        pod("b", "10.0.0.2", false);
        service("10.0.0.9");
        assertThat(convergence.rows())
                .containsExactly(new Row("Service", new ObjectName("shop", "web"), 2, 1, 1, false));
    }

    @Test
    void rows_moreAddressesThanFitAreReady_areSettled() {
        pod("a", "10.0.0.1", true);
        pod("b", "10.0.0.2", true);
        service("10.0.0.2");
        cutOff();
        assertThat(convergence.rows())
                .containsExactly(new Row("Service", new ObjectName("shop", "web"), 2, 1, 1, true));

        endpoints.objects.clear();
        services.objects.clear();
        service("10.0.0.9");
        cutOff();
        assertThat(convergence.rows()).extracting(Row::settled).containsExactly(false);
    }

    private void cutOff() {
        Endpoints published = endpoints.objects.remove(0);
        endpoints.objects.add(published.withMetadata(ObjectMetaBuilder.builder(published.metadata())
                .annotations(Map.of("endpoints.kubernetes.io/over-capacity", "truncated"))
                .build()));
    }

    @Test
    void rows_job_isSettledWhenItHasCompleted() {
        JobStatus running = JobStatusBuilder.builder().active(1).succeeded(1).build();
        JobStatus complete = JobStatusBuilder.builder()
                .succeeded(2)
                .conditions(List.of(JobConditionBuilder.builder()
                        .type("Complete")
                        .status("True")
                        .build()))
                .build();
        for (JobStatus status : List.of(running, complete)) {
            jobs.objects.clear();
            jobs.objects.add(Job.of(
                    ObjectMeta.named("shop", "migrate"),
                    JobSpecBuilder.builder().completions(2).build(),
                    status));
            assertThat(convergence.rows())
                    .containsExactly(new Row(
                            "Job", new ObjectName("shop", "migrate"), 2, 2, status.succeeded(), status == complete));
        }
    }
}
