/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.apply.OwnableFields;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.apiserver.rest.WebhookSender;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that a server serves from its start. This class holds everything about a kind that is not generic.
 * Thread-safe after {@link #admission}, {@link #subresources} and {@link #virtualResources} were called once.
 */
public interface ApiKinds {

    /** Returns the resources in all served versions, in the order of the discovery documents. */
    List<ResourceDefinition> definitions();

    /**
     * Returns the type of a kind that is sent but has no resource of its own, such as {@code DeleteOptions} or {@code
     * Scale}; null if it is unknown.
     */
    @Nullable
    StructSchema type(String apiVersion, String kind);

    /** Returns the fields of a built-in or custom resource that clients can own. */
    OwnableFields ownable(ServedResource resource);

    /** Creates the admission plug-ins of a server, in the order of their calls. */
    List<AdmissionPlugin> admission(ApiBackend backend);

    /** Creates the handlers of special subresources, by {@code resource/subresource}, such as {@code pods/binding}. */
    Map<String, SubresourceHandler> subresources(ApiBackend backend);

    /**
     * Creates the handlers of resources whose objects are not stored, by {@code resource.group}, such as {@code
     * tokenreviews.authentication.k8s.io}.
     */
    default Map<String, SubresourceHandler> virtualResources(ApiBackend backend) {
        return Map.of();
    }

    /** Returns the groups whose documents are computed, in the order of discovery. */
    default List<ComputedApi> computed() {
        return List.of();
    }

    /**
     * Returns the user that a bearer token belongs to, such as a service account; null if the token is not valid.
     * Called for every request with a token.
     */
    default @Nullable UserInfo authenticate(ApiBackend backend, String token) {
        return null;
    }

    /**
     * Returns the client that sends reviews to webhooks; by default every call fails.
     *
     * @param clientConfig the {@code clientConfig} of the webhook: a URL or a service, and a CA bundle
     */
    default WebhookSender webhook(ApiBackend backend, JsonObject clientConfig) {
        return (review, timeout) -> {
            throw new WebhookException("this server calls no webhooks");
        };
    }

    /** Returns the resolver of the services of a server; by default the server has none. */
    default ServiceResolver services(ApiBackend backend) {
        return ServiceResolver.NONE;
    }

    /**
     * Returns the authorizer of authenticated users; by default it allows every request. It is not called for requests
     * within the process.
     */
    default Authorizer authorizer(ApiBackend backend) {
        return Authorizer.ALLOW_ALL;
    }

    /**
     * Returns documents outside of the resources, by path, such as the keys that verify tokens. A document is made when
     * it is read.
     *
     * @param address the address at which the client reaches the server, such as {@code https://127.0.0.1:6443}
     */
    default Map<String, Supplier<PublicDocument>> documents(String address) {
        return Map.of();
    }

    /**
     * Creates the objects that clients find at the start of a server, and updates them when its address is known.
     * Called without an address when the server is built, and again at each call of {@code ApiServer.announce}.
     */
    default void start(ServerContent content) {}
}
