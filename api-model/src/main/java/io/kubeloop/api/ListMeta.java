package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a list (upstream: {@code metav1.ListMeta}).
 *
 * @param resourceVersion the version at which the list was taken; a watch may start here
 * @param continueToken where the next page begins; empty on the last page ({@code continue} on the wire)
 * @param remainingItemCount how many items follow, if the server says
 * @param unknownFields everything else
 */
@RecordBuilder
public record ListMeta(
        @JsonMember(shared = false) String resourceVersion,
        @JsonMember(name = "continue", shared = false) String continueToken,
        @Nullable Long remainingItemCount,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ListMeta {
        resourceVersion = Values.orEmpty(resourceVersion);
        continueToken = Values.orEmpty(continueToken);
        unknownFields = Values.orNone(unknownFields);
    }
}
