/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an admission review. Immutable.
 *
 * @param denial the message that the user receives; null if the write is allowed
 * @param changed the object to store instead; null for no change. Only a mutating webhook may change an object
 * @param warnings texts that the user sees, each shorter than 256 characters
 */
public record AdmissionAnswer<T extends KubeObject>(
        @Nullable String denial, @Nullable T changed, List<String> warnings) {

    /** Copies the warnings. */
    public AdmissionAnswer {
        warnings = List.copyOf(warnings);
    }

    /** Returns the answer that allows the write. */
    public static <T extends KubeObject> AdmissionAnswer<T> allow() {
        return new AdmissionAnswer<>(null, null, List.of());
    }

    /** Returns the answer that rejects the write with a message. */
    public static <T extends KubeObject> AdmissionAnswer<T> deny(String message) {
        return new AdmissionAnswer<>(message, null, List.of());
    }

    /** Returns the answer that allows the write with this object instead. Members without a component stay. */
    public static <T extends KubeObject> AdmissionAnswer<T> change(T object) {
        return new AdmissionAnswer<>(null, object, List.of());
    }

    /** Returns the same answer with these warnings. */
    public AdmissionAnswer<T> withWarnings(String... texts) {
        return new AdmissionAnswer<>(denial, changed, List.of(texts));
    }
}
