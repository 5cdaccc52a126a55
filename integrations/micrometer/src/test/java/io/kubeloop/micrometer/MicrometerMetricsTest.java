/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Micrometer's Prometheus registry exports the names of client-go and of upstream's controllers. */
class MicrometerMetricsTest {

    private record Gauges(int depth) implements QueueGauges {

        @Override
        public Map<Integer, Integer> depthByPriority() {
            return Map.of(0, depth);
        }

        @Override
        public Duration unfinishedWork() {
            return Duration.ofMillis(1500);
        }

        @Override
        public Duration longestRunning() {
            return Duration.ofMillis(500);
        }
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final MicrometerInformerMetrics informers = new MicrometerInformerMetrics(registry);

    private static InformerHealth health(int objects) {
        return new InformerHealth(
                "pods",
                ReflectorState.WATCHING,
                null,
                true,
                "12",
                "11",
                null,
                null,
                null,
                "",
                2,
                5,
                1,
                objects,
                3,
                List.of(
                        new HandlerHealth("Twin", true, 4, null, 10, 1),
                        new HandlerHealth("Twin", true, 5, null, 10, 2),
                        new HandlerHealth("Other", true, 0, null, 10, 0)));
    }

    @Test
    void queue_hasTheMetricsOfClientGo() {
        QueueMetrics metrics = new MicrometerQueueMetrics(registry).register("endpoint", new Gauges(7));
        metrics.added();
        metrics.added();
        metrics.retried(Duration.ofSeconds(1));
        metrics.taken(Duration.ofMillis(20));
        metrics.processed(Duration.ofMillis(300));

        assertThat(registry.scrape())
                .contains(
                        "workqueue_adds_total{name=\"endpoint\"} 2.0",
                        "workqueue_retries_total{name=\"endpoint\"} 1.0",
                        "workqueue_depth{name=\"endpoint\"} 7.0",
                        "workqueue_unfinished_work_seconds{name=\"endpoint\"} 1.5",
                        "workqueue_longest_running_processor_seconds{name=\"endpoint\"} 0.5",
                        "workqueue_queue_duration_seconds_bucket{name=\"endpoint\",le=\"0.01\"} 0",
                        "workqueue_queue_duration_seconds_bucket{name=\"endpoint\",le=\"0.1\"} 1",
                        "workqueue_work_duration_seconds_sum{name=\"endpoint\"} 0.3");
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void queueOfAUsedName_replacesTheMetersOfTheFormer() {
        MicrometerQueueMetrics queues = new MicrometerQueueMetrics(registry);
        QueueMetrics former = queues.register("endpoint", new Gauges(1));
        former.added();
        QueueMetrics next = queues.register("endpoint", new Gauges(2));
        former.close();
        former.added();
        next.added();

        assertThat(registry.scrape())
                .contains("workqueue_depth{name=\"endpoint\"} 2.0", "workqueue_adds_total{name=\"endpoint\"} 1.0");
    }

    @Test
    void informer_hasItsStateAndWhatItDid() {
        InformerMetrics pods = informers.register(ResourceTypes.PODS, "pods", () -> health(7));
        pods.listed(100, Duration.ofMillis(700));
        pods.watched(20, Duration.ofMinutes(7));
        pods.processed(Duration.ofMillis(2));
        informers.refreshHandlers();

        assertThat(registry.scrape())
                .contains(
                        "reflector_lists_total{name=\"pods\"} 2.0",
                        "reflector_watches_total{name=\"pods\"} 5.0",
                        "reflector_errors_total{name=\"pods\"} 1.0",
                        "reflector_last_resource_version{name=\"pods\"} 12.0",
                        "reflector_last_event_age_seconds{name=\"pods\"} NaN",
                        "reflector_items_per_list_sum{name=\"pods\"} 100.0",
                        "reflector_list_duration_seconds_bucket{name=\"pods\",le=\"1.0\"} 1",
                        "reflector_items_per_watch_sum{name=\"pods\"} 20.0",
                        "reflector_watch_duration_seconds_sum{name=\"pods\"} 420.0",
                        "informer_processing_latency_seconds_count{group=\"\",name=\"pods\",resource=\"pods\","
                                + "version=\"v1\"} 1",
                        "informer_store_resource_version{group=\"\",name=\"pods\",resource=\"pods\",version=\"v1\"} "
                                + "11.0",
                        "informer_objects{group=\"\",name=\"pods\",resource=\"pods\",version=\"v1\"} 7.0",
                        "informer_queued_items{group=\"\",name=\"pods\",resource=\"pods\",version=\"v1\"} 3.0",
                        "informer_synced{group=\"\",name=\"pods\",resource=\"pods\",version=\"v1\"} 1.0",
                        "informer_handler_pending_notifications{handler=\"Twin\",name=\"pods\"} 9.0",
                        "informer_handler_errors{handler=\"Twin\",name=\"pods\"} 3.0")
                .doesNotContain("handler=\"Other\"");
        pods.close();
        pods.watched(1, Duration.ofMillis(1));
        informers.refreshHandlers();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void closedInformer_whoseNameHasANewOne_keepsItsSeries() {
        InformerMetrics former = informers.register(ResourceTypes.PODS, "pods", () -> health(1));
        InformerMetrics next = informers.register(ResourceTypes.PODS, "pods", () -> health(2));
        former.close();
        next.listed(7, Duration.ofMillis(1));
        informers.refreshHandlers();

        assertThat(registry.scrape())
                .contains(
                        "reflector_items_per_list_sum{name=\"pods\"} 7.0",
                        "informer_objects{group=\"\",name=\"pods\",resource=\"pods\",version=\"v1\"} 2.0",
                        "informer_handler_errors{handler=\"Twin\",name=\"pods\"} 3.0");
    }

    @Test
    void requests_haveTheMetricsOfClientGo_MX01() {
        MicrometerRequestMetrics transports = new MicrometerRequestMetrics(registry);
        for (RequestMetrics transport : List.of(transports.register("one:6443"), transports.register("one:6443"))) {
            transport.throttled("GET", Duration.ofMillis(3));
            transport.attempted("GET", RequestMetrics.NO_ANSWER);
            transport.retried("GET", RequestMetrics.NO_ANSWER);
            transport.attempted("GET", 200);
            transport.finished("GET", Duration.ofMillis(90), 0, 4000);
        }

        assertThat(registry.scrape())
                .contains(
                        "rest_client_requests_total{code=\"200\",host=\"one:6443\",method=\"GET\"} 2.0",
                        "rest_client_requests_total{code=\"<error>\",host=\"one:6443\",method=\"GET\"} 2.0",
                        "rest_client_request_retries_total{code=\"<error>\",host=\"one:6443\",verb=\"GET\"} 2.0",
                        "rest_client_request_duration_seconds_bucket{host=\"one:6443\",verb=\"GET\",le=\"0.025\"} 0",
                        "rest_client_request_duration_seconds_bucket{host=\"one:6443\",verb=\"GET\",le=\"0.1\"} 2",
                        "rest_client_request_duration_seconds_bucket{host=\"one:6443\",verb=\"GET\",le=\"60.0\"} 2",
                        "rest_client_response_size_bytes_bucket{host=\"one:6443\",verb=\"GET\",le=\"1.6777216E7\"} 2",
                        "rest_client_request_duration_seconds_sum{host=\"one:6443\",verb=\"GET\"} 0.18",
                        "rest_client_rate_limiter_duration_seconds_count{host=\"one:6443\",verb=\"GET\"} 2",
                        "rest_client_request_size_bytes_sum{host=\"one:6443\",verb=\"GET\"} 0.0",
                        "rest_client_response_size_bytes_bucket{host=\"one:6443\",verb=\"GET\",le=\"4096.0\"} 2");
    }

    @Test
    void controllers_haveTheMetricsOfUpstream() {
        MicrometerControllerMetrics metrics = new MicrometerControllerMetrics(registry);
        ControllerMetric syncs = ControllerMetric.counter("job_controller_job_syncs_total", "Syncs of jobs", "result");
        metrics.record(syncs, 2, "success");
        metrics.record(syncs, 1, "success");
        metrics.record(syncs, 1, "error");
        ControllerMetric nodes = ControllerMetric.gauge("node_collector_zone_size", "Nodes", "zone");
        metrics.record(nodes, 4, "a");
        metrics.record(nodes, 3, "a");
        ControllerMetric took = ControllerMetric.histogram("job_controller_job_sync_duration_seconds", "Time", 0.25, 3);
        metrics.record(took, Duration.ofMillis(750));
        ControllerMetric changes = ControllerMetric.counter("endpoint_slice_controller_changes", "Writes", "operation");
        metrics.record(changes, 1, "create");
        metrics.record(changes, 1, "create");
        metrics.staleSync("replicaset", ResourceTypes.PODS);

        assertThat(registry.scrape())
                .contains(
                        "job_controller_job_syncs_total{result=\"success\"} 3.0",
                        "job_controller_job_syncs_total{result=\"error\"} 1.0",
                        "endpoint_slice_controller_changes{operation=\"create\"} 2.0",
                        "# TYPE replicaset_controller_stale_sync_skips_total counter",
                        "replicaset_controller_stale_sync_skips_total{group=\"\",resource=\"pods\"} 1.0",
                        "node_collector_zone_size{zone=\"a\"} 3.0",
                        "job_controller_job_sync_duration_seconds_bucket{le=\"0.5\"} 0",
                        "job_controller_job_sync_duration_seconds_bucket{le=\"1.0\"} 1",
                        "job_controller_job_sync_duration_seconds_sum 0.75");
    }

    @Test
    void election_showsWhetherItLeads() {
        MicrometerElectionMetrics metrics = new MicrometerElectionMetrics(registry, "manager");
        assertThat(registry.scrape()).contains("leader_election_master_status{name=\"manager\"} 0.0");
        metrics.leading(true);
        metrics.slowPath();
        assertThat(registry.scrape())
                .contains(
                        "leader_election_master_status{name=\"manager\"} 1.0",
                        "leader_election_slowpath_total{name=\"manager\"} 1.0");
    }

    @Test
    void seriesOfAnObjectThatIsGone_isRemoved_andOthersStay() {
        MicrometerControllerMetrics metrics = new MicrometerControllerMetrics(registry);
        ControllerMetric desired = ControllerMetric.gauge("desired_replicas", "Pods", "name");
        metrics.record(desired, 4, "a");
        metrics.record(desired, 5, "b");
        metrics.forget(desired, "a");
        metrics.forget(desired, "never");
        assertThat(registry.find("desired.replicas").gauges()).singleElement().satisfies(gauge -> {
            assertThat(gauge.getId().getTag("name")).isEqualTo("b");
            assertThat(gauge.value()).isEqualTo(5);
        });
        metrics.record(desired, 1, "a");
        assertThat(registry.find("desired.replicas").gauges()).hasSize(2);
    }
}
