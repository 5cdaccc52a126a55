/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

/** Makes the metrics of a transport. Implementations must be thread-safe. */
@FunctionalInterface
public interface RequestMetricsProvider {

    /** No metrics. */
    RequestMetricsProvider NONE = host -> RequestMetrics.NONE;

    /**
     * Returns the metrics of a new transport. Several transports may connect to one server.
     *
     * @param host the host of the server, with its port unless it is the default of the scheme, such as {@code
     *     10.0.0.1:6443}
     */
    RequestMetrics register(String host);
}
