package io.kubeloop.controller.endpoint;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the endpoint controller. Immutable.
 *
 * @param updatesBatchPeriod the delay of a service's sync after a change of a pod, so that several changes cost one
 * write ({@code --endpoint-updates-batch-period}); default zero
 * @param rules the release whose behavior it has
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
