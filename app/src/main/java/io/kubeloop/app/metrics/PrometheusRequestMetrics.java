package io.kubeloop.app.metrics;

import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.transport.http.RequestMetricsProvider;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exports the metrics of requests under client-go's names (upstream: {@code
 * component-base/metrics/prometheus/restclient}); the table is in {@code docs/transport-http.md}. Thread-safe.
 */
public final class PrometheusRequestMetrics implements RequestMetricsProvider {

    private static final double[] SECONDS = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
    private static final double[] BYTES = {
        64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20
    };

    private final Counter attempts;
    private final Counter retries;
    private final Histogram durations;
    private final Histogram waits;
    private final Histogram requestSizes;
    private final Histogram responseSizes;

    public PrometheusRequestMetrics(PrometheusRegistry registry) {
        attempts = Counter.builder()
                .name("rest_client_requests_total")
                .help("Requests sent, counting each attempt, by status code; \"<error>\" without a response")
                .labelNames("code", "method", "host")
                .register(registry);
        retries = Counter.builder()
                .name("rest_client_request_retries_total")
                .help("Retried requests, by the status code of the previous attempt")
                .labelNames("code", "verb", "host")
                .register(registry);
        durations = histogram(
                registry,
                "rest_client_request_duration_seconds",
                "Seconds until a request ended, with all waits and attempts",
                SECONDS);
        waits = histogram(
                registry,
                "rest_client_rate_limiter_duration_seconds",
                "Seconds that a request waited for the rate limit of the client",
                SECONDS);
        requestSizes = histogram(registry, "rest_client_request_size_bytes", "Bytes of the request body", BYTES);
        responseSizes = histogram(
                registry, "rest_client_response_size_bytes", "Bytes of the decompressed response body", BYTES);
    }

    private static Histogram histogram(PrometheusRegistry registry, String name, String help, double[] bounds) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames("verb", "host")
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    @Override
    public RequestMetrics register(String host) {
        return new OfHost(host);
    }

    /** The result of an attempt. */
    private record Outcome(String method, int code) {

        String codeLabel() {
            return code == RequestMetrics.NO_ANSWER ? "<error>" : String.valueOf(code);
        }
    }

    /** The histograms of one method. */
    private record OfMethod(
            DistributionDataPoint duration,
            DistributionDataPoint waited,
            DistributionDataPoint requestSize,
            DistributionDataPoint responseSize) {}

    /** Caches the data points of labels, because a burst has thousands of requests per second. */
    private final class OfHost implements RequestMetrics {

        private final String host;
        private final Map<Outcome, CounterDataPoint> attempted = new ConcurrentHashMap<>();
        private final Map<String, OfMethod> methods = new ConcurrentHashMap<>();

        OfHost(String host) {
            this.host = host;
        }

        @Override
        public void throttled(String method, Duration waited) {
            ofMethod(method).waited().observe(Seconds.of(waited));
        }

        @Override
        public void attempted(String method, int code) {
            attempted
                    .computeIfAbsent(
                            new Outcome(method, code),
                            outcome -> attempts.labelValues(outcome.codeLabel(), outcome.method(), host))
                    .inc();
        }

        @Override
        public void retried(String method, int code) {
            retries.labelValues(new Outcome(method, code).codeLabel(), method, host)
                    .inc();
        }

        @Override
        public void finished(String method, Duration took, long sentBytes, long receivedBytes) {
            OfMethod seen = ofMethod(method);
            seen.duration().observe(Seconds.of(took));
            seen.requestSize().observe((double) sentBytes);
            seen.responseSize().observe((double) receivedBytes);
        }

        private OfMethod ofMethod(String method) {
            return methods.computeIfAbsent(
                    method,
                    verb -> new OfMethod(
                            durations.labelValues(verb, host),
                            waits.labelValues(verb, host),
                            requestSizes.labelValues(verb, host),
                            responseSizes.labelValues(verb, host)));
        }
    }
}
