package io.kubeloop.controller.endpoint;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the endpoint controller.
 *
 * @param updatesBatchPeriod how long a service's sync waits after a change of a pod, so that changes that come together cost
 *     one write ({@code --endpoint-updates-batch-period}); zero for not at all
 * @param rules which release it behaves like
 */
public record EndpointControllerConfig(Duration updatesBatchPeriod, EndpointRules rules) {

    /** No batching, default rules. */
    public static final EndpointControllerConfig DEFAULT =
            new EndpointControllerConfig(Duration.ZERO, EndpointRules.DEFAULT);

    /** Checks that nothing is null and the period not negative. */
    public EndpointControllerConfig {
        Objects.requireNonNull(rules, "rules");
        if (updatesBatchPeriod.isNegative()) {
            throw new IllegalArgumentException("updatesBatchPeriod must not be negative, got " + updatesBatchPeriod);
        }
    }

    /** Returns a copy with this period. */
    public EndpointControllerConfig withUpdatesBatchPeriod(Duration period) {
        return new EndpointControllerConfig(period, rules);
    }

    /** Returns a copy with these rules. */
    public EndpointControllerConfig withRules(EndpointRules other) {
        return new EndpointControllerConfig(updatesBatchPeriod, other);
    }
}
