/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a list (upstream: {@code metav1.ListMeta}).
 *
 * @param resourceVersion the version at which the list was read; a watch can start from it
 * @param continueToken the token of the next page; empty on the last page ({@code continue} on the wire)
 * @param remainingItemCount the number of items on later pages; null if the server does not count them
 * @param unknownFields all other fields
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
