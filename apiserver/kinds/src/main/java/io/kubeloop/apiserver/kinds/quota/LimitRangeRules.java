/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of limit ranges (upstream: {@code ValidateLimitRange}). */
public final class LimitRangeRules {

    private LimitRangeRules() {}

    /** Validates a limit range. */
    public static void range(FieldCursor range) {
        Set<String> types = new HashSet<>();
        List<FieldCursor> items = range.at("spec", "limits").items();
        items.forEach(item -> new LimitItemRules(item.path(), item.object(), item.errors()).validate(types));
    }
}
