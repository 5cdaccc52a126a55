package io.kubeloop.transport.memory.registry;

import io.kubeloop.transport.memory.machinery.ApiFailure;
import java.util.Map;

/** Distinguishes watches from requests that end on their own. */
public final class WatchRequests {

    private WatchRequests() {}

    /** Returns whether a GET of this path with this query is a watch. */
    public static boolean isWatch(String path, Map<String, String> query) {
        try {
            return RequestInfo.parse(path).isWatch(new Query(query));
        } catch (ApiFailure e) {
            return false; // a path that is not a resource is rejected at once
        }
    }
}
