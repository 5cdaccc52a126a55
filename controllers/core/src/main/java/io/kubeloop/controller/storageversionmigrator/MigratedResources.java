/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.storageversionmigrator;

import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.discovery.ApiCatalog;
import io.kubeloop.controller.discovery.DiscoveryReader;
import org.jspecify.annotations.Nullable;

/**
 * Finds resources by group and name. Thread-safe; {@link #find} blocks for discovery requests.
 *
 * @param transport reaches the server
 */
record MigratedResources(Transport transport) {

    /** Returns the resource in the version that the server prefers; null if it is not served. */
    ApiCatalog.@Nullable Entry find(Migration.Resource resource) {
        return new DiscoveryReader(transport)
                .read().preferred().stream()
                        .filter(entry -> entry.type().group().equals(resource.group())
                                && entry.type().plural().equals(resource.plural()))
                        .findFirst()
                        .orElse(null);
    }
}
