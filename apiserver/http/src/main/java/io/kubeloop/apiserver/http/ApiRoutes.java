/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.rest.UserInfo;
import java.io.IOException;

/**
 * The routes below {@code /api} and {@code /apis}. Thread-safe.
 *
 * @param resources serves the objects
 * @param containers serves logs, commands and connections into pods
 * @param proxies relays requests to nodes, pods and services
 * @param aggregation relays requests to the servers of aggregated APIs; asked before all other routes
 */
record ApiRoutes(ResourceRoute resources, ContainerRoute containers, ProxyRoute proxies, AggregationRoute aggregation) {

    void serve(HttpApiExchange exchange, UserInfo user) throws IOException {
        if (!containers.serve(exchange, user) && !proxies.serve(exchange, user)) {
            resources.serve(exchange, user);
        }
    }
}
