/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.transport.http.RequestMetricsProvider;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registers the metrics of requests over HTTP, with the tags {@code host}, {@code verb} or {@code method}, and {@code
 * code} (upstream: {@code component-base/metrics/prometheus/restclient}). Requires {@code kubeloop-transport-http}.
 * Thread-safe.
 */
public final class MicrometerRequestMetrics implements RequestMetricsProvider {

    private static final double[] SECONDS = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
    private static final double[] BYTES = {
        64, 256, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20
    };

    private final MeterRegistry registry;

    /** Registers meters with the registry when the first request of their kind is sent. They stay registered. */
    public MicrometerRequestMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public RequestMetrics register(String host) {
        return new OfHost(registry, host);
    }

    /** The result of an attempt. */
    private record Outcome(String method, int code) {}

    /** The meters of one method. */
    private record OfMethod(
            Timer duration, Timer waited, DistributionSummary requestSize, DistributionSummary responseSize) {}

    /** Caches the meters of tags, because a burst has thousands of requests per second. */
    private record OfHost(
            MeterRegistry registry,
            String host,
            Map<Outcome, Counter> attempts,
            Map<Outcome, Counter> retries,
            Map<String, OfMethod> methods)
            implements RequestMetrics {

        OfHost(MeterRegistry registry, String host) {
            this(registry, host, new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }

        @Override
        public void throttled(String method, Duration waited) {
            ofMethod(method).waited().record(waited);
        }

        @Override
        public void attempted(String method, int code) {
            attempts.computeIfAbsent(
                            new Outcome(method, code),
                            outcome -> meters(outcome, "method")
                                    .counter("rest.client.requests", "Requests sent, counting each attempt"))
                    .increment();
        }

        @Override
        public void retried(String method, int code) {
            retries.computeIfAbsent(
                            new Outcome(method, code),
                            outcome ->
                                    meters(outcome, "verb").counter("rest.client.request.retries", "Retried requests"))
                    .increment();
        }

        private Meters meters(Outcome outcome, String nameOfMethod) {
            String code = outcome.code() == NO_ANSWER ? "<error>" : String.valueOf(outcome.code());
            return Meters.shared(registry, Tags.of("code", code, nameOfMethod, outcome.method(), "host", host));
        }

        @Override
        public void finished(String method, Duration took, long sentBytes, long receivedBytes) {
            OfMethod seen = ofMethod(method);
            seen.duration().record(took);
            seen.requestSize().record((double) sentBytes);
            seen.responseSize().record((double) receivedBytes);
        }

        private OfMethod ofMethod(String method) {
            return methods.computeIfAbsent(method, verb -> {
                Meters meters = Meters.shared(registry, Tags.of("verb", verb, "host", host));
                return new OfMethod(
                        meters.timer(
                                "rest.client.request.duration",
                                "Time until a request ended, with all waits and attempts",
                                SECONDS),
                        meters.timer(
                                "rest.client.rate.limiter.duration",
                                "Time that a request waited for the rate limit of the client",
                                SECONDS),
                        meters.summary("rest.client.request.size", "Bytes of the request body", "bytes", BYTES),
                        meters.summary(
                                "rest.client.response.size",
                                "Bytes of the decompressed response body",
                                "bytes",
                                BYTES));
            });
        }
    }
}
