/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an API server which resources it serves, for controllers of resources that older releases do not have. Static
 * functions only; they block for a request.
 */
public final class ServedResources {

    private static final Logger LOG = LoggerFactory.getLogger(ServedResources.class);

    private ServedResources() {}

    /** Returns the first of the resources that the server serves. */
    @SafeVarargs
    public static <T extends ResourceType<?>> Optional<T> firstOf(Transport transport, T... resources) {
        for (T resource : resources) {
            if (isServed(transport, resource)) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether the server serves a resource. A server that does not answer may serve it: an informer waits for
     * it then.
     */
    public static boolean isServed(Transport transport, ResourceType<?> resource) {
        String path = (resource.group().isEmpty() ? "/api/" : "/apis/") + resource.apiVersion();
        ApiRequest request = new ApiRequest("GET", path, Map.of(), ApiRequest.JSON, null, null);
        try {
            JsonObject document = new JsonRequests(transport)
                    .send(request, new JsonRequests.Target(resource.group(), resource.plural(), ""));
            return document.array("resources")
                    .objects()
                    .anyMatch(each -> each.string("name").equals(resource.plural()));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            LOG.warn("Cannot read whether the server serves {}, assuming that it does: {}", resource, e.getMessage());
            return true;
        } catch (RuntimeException e) {
            LOG.warn("Cannot read whether the server serves {}, assuming that it does: {}", resource, e.toString());
            return true;
        }
    }
}
