package io.kubeloop.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.transport.http.RequestMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrometheusRequestMetricsTest {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusRequestMetrics metrics = new PrometheusRequestMetrics(registry);

    @Test
    void metrics_haveTheNamesLabelsAndBucketsOfClientGo_MX01() throws IOException {
        RequestMetrics one = metrics.register("k:6443");
        RequestMetrics other = metrics.register("k:6443");
        one.attempted("POST", 201);
        other.attempted("POST", 201);
        one.attempted("GET", RequestMetrics.NO_ANSWER);
        one.retried("GET", RequestMetrics.NO_ANSWER);
        one.throttled("POST", Duration.ofMillis(300));
        one.finished("POST", Duration.ofMillis(20), 300, 5000);

        assertThat(Scrape.of(registry))
                .contains(
                        "rest_client_requests_total{code=\"201\",host=\"k:6443\",method=\"POST\"} 2.0",
                        "rest_client_requests_total{code=\"<error>\",host=\"k:6443\",method=\"GET\"} 1.0",
                        "rest_client_request_retries_total{code=\"<error>\",host=\"k:6443\",verb=\"GET\"} 1.0",
                        "rest_client_rate_limiter_duration_seconds_bucket{host=\"k:6443\",verb=\"POST\",le=\"0.25\"} 0",
                        "rest_client_rate_limiter_duration_seconds_bucket{host=\"k:6443\",verb=\"POST\",le=\"0.5\"} 1",
                        "rest_client_request_duration_seconds_bucket{host=\"k:6443\",verb=\"POST\",le=\"0.025\"} 1",
                        "rest_client_request_duration_seconds_bucket{host=\"k:6443\",verb=\"POST\",le=\"60.0\"} 1",
                        "rest_client_request_size_bytes_sum{host=\"k:6443\",verb=\"POST\"} 300.0",
                        "rest_client_response_size_bytes_bucket{host=\"k:6443\",verb=\"POST\",le=\"16384.0\"} 1",
                        "rest_client_response_size_bytes_bucket{host=\"k:6443\",verb=\"POST\",le=\"1.6777216E7\"} 1");
    }
}
