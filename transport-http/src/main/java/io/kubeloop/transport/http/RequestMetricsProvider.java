package io.kubeloop.transport.http;

/** Makes the metrics of a transport. Thread-safe. */
@FunctionalInterface
public interface RequestMetricsProvider {

    /** Measures nothing. */
    RequestMetricsProvider NONE = host -> RequestMetrics.NONE;

    /**
     * Returns what measures the requests of a new transport. Several transports may speak with one server.
     *
     * @param host the server's host, with its port unless that is the scheme's own, such as {@code 10.0.0.1:6443}
     */
    RequestMetrics register(String host);
}
