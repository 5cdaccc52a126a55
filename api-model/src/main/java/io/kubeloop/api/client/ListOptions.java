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
 * @param resourceVersion list: how fresh; watch: where to start
 * @param resourceVersionMatch {@code Exact} or {@code NotOlderThan}
 * @param limit page size
 * @param continueToken from the page before
 * @param timeoutSeconds after which the server ends a watch
 * @param allowWatchBookmarks asks for bookmarks
 * @param sendInitialEvents asks a watch to begin with the present state (streaming list)
 * @param deadline after which this side ends a watch or request, even if the server says nothing; not sent
 */
@RecordBuilder
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        long limit,
        String continueToken,
        @Nullable Long timeoutSeconds,
        boolean allowWatchBookmarks,
        @Nullable Boolean sendInitialEvents,
        @Nullable Duration deadline) {

    /** No options. */
    public static final ListOptions NONE = ListOptionsBuilder.builder().build();

    /** Null strings mean "not sent". */
    public ListOptions {
        labelSelector = labelSelector == null ? "" : labelSelector;
        fieldSelector = fieldSelector == null ? "" : fieldSelector;
        resourceVersion = resourceVersion == null ? "" : resourceVersion;
        resourceVersionMatch = resourceVersionMatch == null ? "" : resourceVersionMatch;
        continueToken = continueToken == null ? "" : continueToken;
    }

    /** Returns the query parameters of a list or, with {@code watch}, of a watch. */
    public Map<String, String> toQuery(boolean watch) {
        Map<String, String> query = new LinkedHashMap<>();
        put(query, "labelSelector", labelSelector);
        put(query, "fieldSelector", fieldSelector);
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
