package io.kubeloop.controller.endpoint;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of the endpoint controller.
 *
 * @param updatesBatchPeriod the delay between a change of a pod and the sync of its services; several changes within the period
 *     cost one write ({@code --endpoint-updates-batch-period}). Zero, the default, means no delay; must not be negative
 * @param rules the release of Kubernetes whose behavior the controller has; default {@link EndpointRules#CURRENT}
 */
public record EndpointControllerConfig(Duration updatesBatchPeriod, EndpointRules rules) {

    /** No batching, and the rules of current releases. */
    public static final EndpointControllerConfig DEFAULT =
            new EndpointControllerConfig(Duration.ZERO, EndpointRules.CURRENT);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if the period is negative
     */
    public EndpointControllerConfig {
        Objects.requireNonNull(rules, "rules");
        if (updatesBatchPeriod.isNegative()) {
            throw new IllegalArgumentException("updatesBatchPeriod must not be negative, got " + updatesBatchPeriod);
        }
    }

    /** Returns a copy with the given batch period. */
    public EndpointControllerConfig withUpdatesBatchPeriod(Duration period) {
        return new EndpointControllerConfig(period, rules);
    }

    /** Returns a copy with the given rules. */
    public EndpointControllerConfig withRules(EndpointRules other) {
        return new EndpointControllerConfig(updatesBatchPeriod, other);
    }
}
