package io.kubeloop.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.InformerMetrics;
import io.kubeloop.cache.ReflectorState;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusInformerMetricsTest {

    private static final InformerHealth HEALTH = new InformerHealth(
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
            7,
            3,
            List.of(
                    new HandlerHealth("Twin", true, 4, null, 10, 1),
                    new HandlerHealth("Twin", true, 5, null, 10, 2),
                    new HandlerHealth("Other", true, 0, null, 10, 0)));

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusInformerMetrics metrics = new PrometheusInformerMetrics(registry);

    @Test
    void scrape_ofAnInformer_hasItsStateAndWhatItDid() throws IOException {
        InformerMetrics pods = metrics.register(ResourceTypes.PODS, "pods", () -> HEALTH);
        pods.listed(100, Duration.ofMillis(700));
        pods.watched(20, Duration.ofMinutes(7));
        pods.processed(Duration.ofMillis(2));
        assertThat(Scrape.of(registry))
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
                        "informer_processing_latency_seconds_count{name=\"pods\"} 1",
                        "informer_store_resource_version{name=\"pods\"} 11.0",
                        "informer_objects{name=\"pods\"} 7.0",
                        "informer_queued_items{name=\"pods\"} 3.0",
                        "informer_synced{name=\"pods\"} 1.0",
                        "informer_handler_pending_notifications{handler=\"Twin\",name=\"pods\"} 9.0",
                        "informer_handler_pending_notifications{handler=\"Other\",name=\"pods\"} 0.0",
                        "informer_handler_errors{handler=\"Twin\",name=\"pods\"} 3.0");
    }

    @Test
    void closedInformer_isNoLongerAsked() throws IOException {
        InformerMetrics pods = metrics.register(ResourceTypes.PODS, "pods", () -> HEALTH);
        assertThat(Scrape.of(registry)).contains("informer_objects{name=\"pods\"}");
        pods.close();
        assertThat(Scrape.of(registry)).doesNotContain("informer_objects{name=\"pods\"}");
    }

    @Test
    void closedInformer_leavesNoSeries_andAReportThatIsLateBringsNoneBack() throws IOException {
        InformerMetrics things = metrics.register(ResourceTypes.PODS, "things", () -> HEALTH);
        things.listed(1, Duration.ofMillis(1));
        things.processed(Duration.ofMillis(1));
        assertThat(Scrape.of(registry)).contains("name=\"things\"");
        things.close();
        things.watched(1, Duration.ofMillis(1));
        assertThat(Scrape.of(registry)).doesNotContain("name=\"things\"");
    }

    @Test
    void closedInformer_whoseNameHasANewOne_keepsItsSeries() throws IOException {
        InformerMetrics former = metrics.register(ResourceTypes.PODS, "pods", () -> HEALTH);
        InformerMetrics next = metrics.register(ResourceTypes.PODS, "pods", () -> HEALTH);
        former.close();
        next.listed(7, Duration.ofMillis(1));
        assertThat(Scrape.of(registry)).contains("reflector_items_per_list_sum{name=\"pods\"} 7");
    }
}
