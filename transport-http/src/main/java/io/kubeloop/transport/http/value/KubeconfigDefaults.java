package io.kubeloop.transport.http.value;

import org.jspecify.annotations.Nullable;

/** The absence rule in one place: what is not said is empty, never null. */
public final class KubeconfigDefaults {

    private KubeconfigDefaults() {}

    public static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Returns the first that is not empty, else the second. */
    public static String either(String first, String second) {
        return first.isEmpty() ? second : first;
    }
}
