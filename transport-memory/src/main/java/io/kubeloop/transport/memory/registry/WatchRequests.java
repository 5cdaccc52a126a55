package io.kubeloop.transport.memory.registry;

import io.kubeloop.transport.memory.machinery.ApiFailure;
import java.util.Map;

/** Tells watches from requests that are answered at once. */
public final class WatchRequests {

    private WatchRequests() {}

    /** Returns whether a read of this path with this query has an answer without end. */
    public static boolean isWatch(String path, Map<String, String> query) {
        try {
            return RequestInfo.parse(path).isWatch(new Query(query));
        } catch (ApiFailure e) {
            return false; // what is no resource's path is refused, and that at once
        }
    }
}
