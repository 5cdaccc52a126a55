/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of the rules that taint devices (upstream: {@code pkg/apis/resource/validation}). */
public final class DeviceTaintRules {

    private static final int MAX_CONDITIONS = 8;

    private DeviceTaintRules() {}

    /**
     * Validates a rule.
     *
     * @param old the rule before its change; null for a new one
     */
    public static void rule(FieldCursor rule, @Nullable FieldCursor old) {
        FieldCursor selector = rule.at("spec", "deviceSelector");
        selector.at("driver").ifSet(VolumeSourceRules::driverName);
        selector.at("pool").ifSet(DeviceFields::poolName);
        selector.at("device").ifSet(name -> name.follows(NameValidation::dns1123Label));
        FieldCursor taint = rule.at("spec", "taint");
        Set<String> effects = old == null
                ? Set.of()
                : Set.of(old.at("spec", "taint", "effect").text());
        DeviceClaimRules.taint(taint, effects);
    }

    /** Validates the status of a rule. */
    public static void status(FieldCursor rule) {
        FieldCursor conditions = rule.at("status", "conditions");
        DisruptionRules.conditions(conditions);
        conditions.atMost(MAX_CONDITIONS);
    }
}
