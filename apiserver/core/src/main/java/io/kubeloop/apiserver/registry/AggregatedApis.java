/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The group versions that other servers serve, behind services of this server (upstream: {@code kube-aggregator}).
 * Thread-safe. Only {@link #handle} and {@link #close} block.
 */
public interface AggregatedApis extends AutoCloseable {

    /** No group versions. */
    AggregatedApis NONE = new AggregatedApis() {

        @Override
        public long version() {
            return 0;
        }

        @Override
        public List<Version> versions() {
            return List.of();
        }

        @Override
        public Priority priority(String group, String version) {
            return Priority.LOWEST;
        }

        @Override
        public @Nullable ServerResponse handle(ApiRequest request, UserInfo user) {
            return null;
        }

        @Override
        public void close() {}
    };

    /**
     * A group version of another server.
     *
     * @param group the group
     * @param version the version in the group
     * @param resources the resources in the form of aggregated discovery; null if they are not known
     * @param isCurrent whether the resources are those that the server listed last; false marks them as stale
     * @param openApi the addresses of the server's OpenAPI v3 documents, by path
     * @param swagger the server's OpenAPI v2 document; empty if it has none
     */
    record Version(
            String group,
            String version,
            @Nullable JsonArray resources,
            boolean isCurrent,
            Map<String, String> openApi,
            JsonObject swagger) {

        /** Returns the path below which the other server answers, without a slash at its end. */
        public String path() {
            return "/apis/" + group + "/" + version;
        }
    }

    /**
     * The rank of a group version in discovery; higher numbers come first.
     *
     * @param group the rank of the group
     * @param version the rank of the version in its group
     */
    record Priority(int group, int version) {

        /** The rank of a group version that has none. */
        public static final Priority LOWEST = new Priority(0, 0);
    }

    /** Returns a number that changes with every change of {@link #versions} and {@link #priority}. */
    long version();

    /** Returns the group versions in any order. */
    List<Version> versions();

    /** Returns the rank of a group version of this server or of another one. */
    Priority priority(String group, String version);

    /**
     * Forwards a request to the server that serves its path. Blocks until the response has begun, or for a document
     * until it has arrived.
     *
     * @return the response; null if this server serves the path
     */
    @Nullable
    ServerResponse handle(ApiRequest request, UserInfo user);

    /** Stops the threads and ends forwarded requests; safe to call twice. Waits for the threads. */
    @Override
    void close();
}
