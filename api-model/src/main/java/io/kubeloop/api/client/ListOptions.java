/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of list and watch (upstream: {@code metav1.ListOptions}). Empty strings, zero and null mean "not sent".
 *
 * @param labelSelector selector text, such as {@code app=web,tier!=db}
 * @param fieldSelector selector text, such as {@code metadata.name=web}
 * @param shardSelector text of a {@link io.kubeloop.api.selector.ShardSelector}; a server without shards ignores it
 * @param resourceVersion for a list, the minimum or exact version; for a watch, the version to start from
 * @param resourceVersionMatch {@code Exact} or {@code NotOlderThan}
 * @param limit the maximum number of objects on a page
 * @param continueToken the token from the previous page
 * @param timeoutSeconds the time after which the server ends a watch
 * @param allowWatchBookmarks whether the server sends bookmarks
 * @param sendInitialEvents whether a watch begins with the present objects (streaming list)
 * @param deadline the time after which the transport ends a watch or request, even if the server sends nothing; not
 *     sent
 */
@RecordBuilder
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String shardSelector,
        String resourceVersion,
        String resourceVersionMatch,
        long limit,
        String continueToken,
        @Nullable Long timeoutSeconds,
        boolean allowWatchBookmarks,
        @Nullable Boolean sendInitialEvents,
        @Nullable Duration deadline) {

    /** The server's defaults. */
    public static final ListOptions NONE = ListOptionsBuilder.builder().build();

    /** Null strings mean "not sent". */
    public ListOptions {
        labelSelector = labelSelector == null ? "" : labelSelector;
        fieldSelector = fieldSelector == null ? "" : fieldSelector;
        shardSelector = shardSelector == null ? "" : shardSelector;
        resourceVersion = resourceVersion == null ? "" : resourceVersion;
        resourceVersionMatch = resourceVersionMatch == null ? "" : resourceVersionMatch;
        continueToken = continueToken == null ? "" : continueToken;
    }

    /** Returns the query parameters of a list or, with {@code watch}, of a watch. */
    public Map<String, String> toQuery(boolean watch) {
        Map<String, String> query = new LinkedHashMap<>();
        put(query, "labelSelector", labelSelector);
        put(query, "fieldSelector", fieldSelector);
        put(query, "shardSelector", shardSelector);
        put(query, "resourceVersion", resourceVersion);
        put(query, "resourceVersionMatch", resourceVersionMatch);
        put(query, "limit", limit == 0 ? "" : Long.toString(limit));
        put(query, "continue", continueToken);
        put(query, "timeoutSeconds", timeoutSeconds == null ? "" : Long.toString(timeoutSeconds));
        put(query, "allowWatchBookmarks", allowWatchBookmarks ? "true" : "");
        put(query, "sendInitialEvents", sendInitialEvents == null ? "" : Boolean.toString(sendInitialEvents));
        put(query, "watch", watch ? "true" : "");
        return query;
    }

    private static void put(Map<String, String> query, String name, String value) {
        if (!value.isEmpty()) {
            query.put(name, value);
        }
    }
}
