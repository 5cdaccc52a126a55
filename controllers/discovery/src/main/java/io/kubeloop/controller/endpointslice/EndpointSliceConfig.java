/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import java.time.Duration;

/**
 * The settings of a controller of EndpointSlices.
 *
 * @param maxEndpoints the endpoints that a slice may hold, 1 to 1000; default 100 ({@code --max-endpoints-per-slice}).
 *     For the mirroring controller: the addresses of a subset that are mirrored, default 1000 ({@code
 *     --mirroring-max-endpoints-per-subset})
 * @param updatesBatchPeriod the delay between a change of a pod, or of mirrored slices, and the sync; several changes
 *     within the period cost one sync. Not negative; default 0
 */
public record EndpointSliceConfig(int maxEndpoints, Duration updatesBatchPeriod) {

    /** The defaults of kube-controller-manager for slices of services. */
    public static final EndpointSliceConfig DEFAULT = new EndpointSliceConfig(100, Duration.ZERO);

    /** The defaults of kube-controller-manager for mirrored slices. */
    public static final EndpointSliceConfig MIRRORING = new EndpointSliceConfig(1000, Duration.ZERO);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public EndpointSliceConfig {
        if (maxEndpoints < 1 || maxEndpoints > 1000) {
            throw new IllegalArgumentException("maxEndpoints must be 1 to 1000, got " + maxEndpoints);
        }
        if (updatesBatchPeriod.isNegative()) {
            throw new IllegalArgumentException("updatesBatchPeriod must not be negative, got " + updatesBatchPeriod);
        }
    }
}
