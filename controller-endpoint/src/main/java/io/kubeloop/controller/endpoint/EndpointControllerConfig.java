/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import java.time.Duration;

/**
 * The settings of the endpoint controller.
 *
 * @param updatesBatchPeriod the delay between a change of a pod and the sync of its services; several changes within
 *     the period cost one write ({@code --endpoint-updates-batch-period}). Zero, the default, means no delay; must not
 *     be negative
 */
public record EndpointControllerConfig(Duration updatesBatchPeriod) {

    /** No batching. */
    public static final EndpointControllerConfig DEFAULT = new EndpointControllerConfig(Duration.ZERO);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if the period is negative
     */
    public EndpointControllerConfig {
        if (updatesBatchPeriod.isNegative()) {
            throw new IllegalArgumentException("updatesBatchPeriod must not be negative, got " + updatesBatchPeriod);
        }
    }
}
