/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.runtime.Scheduler;
import io.kubeloop.transport.http.RequestMetricsProvider;
import java.security.Provider;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a transport that are not part of a configuration. Immutable.
 *
 * @param environment the environment variables that may name a proxy
 * @param execTimeout the longest run of an exec plugin
 * @param tlsProvider the TLS implementation; null for the JVM's
 * @param mayWrite whether a request other than a GET may be sent now
 * @param warningHandler receives the text of each server warning once
 * @param metrics makes the metrics of the transport
 * @param scheduler clocks and pauses
 */
public record CallOptions(
        Map<String, String> environment,
        Duration execTimeout,
        @Nullable Provider tlsProvider,
        BooleanSupplier mayWrite,
        Consumer<String> warningHandler,
        RequestMetricsProvider metrics,
        Scheduler scheduler) {}
