package io.kubeloop.transport.http.call;

import io.kubeloop.transport.http.RequestMetrics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Protects requests from exceptions of the user's metrics. Thread-safe. */
final class SafeRequestMetrics implements RequestMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(SafeRequestMetrics.class);

    private final RequestMetrics metrics;
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    SafeRequestMetrics(RequestMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void throttled(String method, Duration waited) {
        run(() -> metrics.throttled(method, waited));
    }

    @Override
    public void attempted(String method, int code) {
        run(() -> metrics.attempted(method, code));
    }

    @Override
    public void retried(String method, int code) {
        run(() -> metrics.retried(method, code));
    }

    @Override
    public void finished(String method, Duration took, long sentBytes, long receivedBytes) {
        run(() -> metrics.finished(method, took, sentBytes, receivedBytes));
    }

    /** Logs only the first exception: metrics are called for each request. */
    private void run(Runnable call) {
        CallbackGuard.run(call, e -> {
            if (!hasFailed.getAndSet(true)) {
                LOG.error("the metrics of requests failed; further failures are not logged", e);
            }
        });
    }
}
