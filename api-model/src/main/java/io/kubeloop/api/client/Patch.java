/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A change to send with a PATCH request.
 *
 * @param type the format of the body
 * @param body the patch; not copied, so the caller must not change it afterwards
 * @param fieldManager the name of the program that makes the change; required for {@link Type#APPLY}
 * @param force whether an apply takes over the fields of other managers, rather than fail with a conflict
 */
public record Patch(Type type, byte[] body, @Nullable String fieldManager, boolean force) {

    /** The formats of patches. */
    public enum Type {
        /** A list of operations (RFC 6902). */
        JSON("application/json-patch+json"),
        /** An object to merge into the current one; lists are replaced (RFC 7386). */
        MERGE("application/merge-patch+json"),
        /** An object to merge into the current one; lists are merged by their keys. */
        STRATEGIC_MERGE("application/strategic-merge-patch+json"),
        /** The fields that the manager owns (server-side apply). */
        APPLY("application/apply-patch+yaml");

        private final String contentType;

        Type(String contentType) {
            this.contentType = contentType;
        }

        /** Returns the media type of the body. */
        public String contentType() {
            return contentType;
        }
    }

    /** Checks that an apply has a field manager. */
    public Patch {
        if (type == Type.APPLY && (fieldManager == null || fieldManager.isEmpty())) {
            throw new IllegalArgumentException("an apply patch needs a fieldManager");
        }
    }

    /** Returns a JSON patch: a list of operations. */
    public static Patch json(String operations) {
        return new Patch(Type.JSON, operations.getBytes(StandardCharsets.UTF_8), null, false);
    }

    /** Returns a merge patch. */
    public static Patch merge(String object) {
        return new Patch(Type.MERGE, object.getBytes(StandardCharsets.UTF_8), null, false);
    }

    /** Returns a strategic merge patch. */
    public static Patch strategicMerge(String object) {
        return new Patch(Type.STRATEGIC_MERGE, object.getBytes(StandardCharsets.UTF_8), null, false);
    }

    /** Returns a server-side apply. */
    public static Patch apply(String object, String fieldManager, boolean force) {
        return new Patch(Type.APPLY, object.getBytes(StandardCharsets.UTF_8), fieldManager, force);
    }
}
