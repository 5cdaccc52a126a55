package io.kubeloop.api.client;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A change to send with PATCH.
 *
 * @param type how the body is to be read
 * @param body the patch; not copied, not to be written to afterwards
 * @param fieldManager who makes the change; required for {@link Type#APPLY}
 * @param force whether an apply takes over fields of other managers
 */
public record Patch(Type type, byte[] body, @Nullable String fieldManager, boolean force) {

    /** The kinds of patch. */
    public enum Type {
        /** A list of operations (RFC 6902). */
        JSON("application/json-patch+json"),
        /** An object that is merged in, lists as a whole (RFC 7386). */
        MERGE("application/merge-patch+json"),
        /** An object that is merged in, lists by their keys. */
        STRATEGIC_MERGE("application/strategic-merge-patch+json"),
        /** The fields that the manager wants (server-side apply). */
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

    /** Checks that an apply has a manager. */
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
