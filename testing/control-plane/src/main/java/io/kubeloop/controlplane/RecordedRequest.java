/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import java.time.Instant;
import java.util.Map;

/**
 * A request of a test's client, for reports.
 *
 * @param at when it ended, by the control plane's clock
 * @param method the HTTP method
 * @param path the path
 * @param query the query parameters, as the client sent them
 * @param code the HTTP status of the response; 0 if the client received none
 */
public record RecordedRequest(Instant at, String method, String path, Map<String, String> query, int code) {

    /** Copies the query. */
    public RecordedRequest {
        query = Map.copyOf(query);
    }
}
