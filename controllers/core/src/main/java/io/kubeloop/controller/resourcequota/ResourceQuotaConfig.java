/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import java.time.Duration;

/**
 * The settings of the resource quota controller.
 *
 * @param syncPeriod time after which every quota is counted again, whatever happened; zero for never
 */
public record ResourceQuotaConfig(Duration syncPeriod) {

    /** The default of kube-controller-manager: 5 minutes. */
    public static final ResourceQuotaConfig DEFAULT = new ResourceQuotaConfig(Duration.ofMinutes(5));

    /** Checks that the period is not negative. */
    public ResourceQuotaConfig {
        if (syncPeriod.isNegative()) {
            throw new IllegalArgumentException("syncPeriod cannot be negative, got " + syncPeriod);
        }
    }
}
