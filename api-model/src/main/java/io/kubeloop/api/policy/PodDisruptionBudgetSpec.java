/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.policy;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.value.IntOrString;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a budget and its limit (upstream: {@code policy/v1.PodDisruptionBudgetSpec}). At most one of the two
 * limits is set.
 *
 * @param minAvailable the pods that must stay available, as a number or a percentage of those expected
 * @param selector the pods; null selects none, an empty selector all pods of the namespace
 * @param maxUnavailable the pods that may be unavailable, as a number or a percentage of those expected
 * @param unknownFields all other fields
 */
@WithMethods
public record PodDisruptionBudgetSpec(
        @Nullable IntOrString minAvailable,
        @Nullable LabelSelector selector,
        @Nullable IntOrString maxUnavailable,
        UnknownFields unknownFields)
        implements PodDisruptionBudgetSpecBuilder.With {

    /** Every field absent. */
    public static final PodDisruptionBudgetSpec EMPTY =
            PodDisruptionBudgetSpecBuilder.builder().build();

    /** Null means the zero value. */
    public PodDisruptionBudgetSpec {
        unknownFields = Values.orNone(unknownFields);
    }
}
