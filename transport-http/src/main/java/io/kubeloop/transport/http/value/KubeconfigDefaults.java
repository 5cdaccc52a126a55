/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.value;

import org.jspecify.annotations.Nullable;

/** The rule for absent values of a configuration: they are empty, never null. Stateless. */
public final class KubeconfigDefaults {

    private KubeconfigDefaults() {}

    public static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Returns the first value, or the second if the first is empty. */
    public static String either(String first, String second) {
        return first.isEmpty() ? second : first;
    }
}
