package io.kubeloop.transport.http;

import org.jspecify.annotations.Nullable;

/** The absence rule in one place: what is not said is empty, never null. */
final class Absent {

    private Absent() {}

    static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Returns the first that is not empty, else the second. */
    static String either(String first, String second) {
        return first.isEmpty() ? second : first;
    }

    /** Returns a word for messages and {@code toString} that tells whether a secret is there, and not what it is. */
    static String masked(String secret) {
        return secret.isEmpty() ? "" : "***";
    }
}
