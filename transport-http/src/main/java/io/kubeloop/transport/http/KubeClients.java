/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import java.util.Map;

/**
 * Typed clients over HTTP, in one call.
 *
 * <pre>{@code
 * try (KubeClient client = KubeClients.fromDefaultConfig()) {
 *     client.resource(ResourceTypes.PODS).list("default", ListOptions.NONE).items().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>A client has a transport of its own ({@link OkHttpTransport}, default options) and the codec of the standard types
 * ({@link JsonCodec#standard()}). Closing the client closes the transport. A program with other options or other types
 * combines {@link OkHttpTransport#builder}, a codec and {@link KubeClient#of} instead.
 *
 * <p>Stateless and thread-safe.
 */
public final class KubeClients {

    private KubeClients() {}

    /**
     * Returns a client of the cluster that the default configuration names.
     *
     * <p>The order is that of client-go: the files of the variable {@code KUBECONFIG}; else {@code ~/.kube/config}; and
     * if these configure nothing, the service account of the pod that this process runs in. See {@link
     * Kubeconfigs#load()}.
     *
     * <p>Blocks only to read these files. The first request connects.
     *
     * @throws KubeconfigException if nothing is configured, or the configuration cannot be used
     * @throws TransportException of kind {@code CONFIGURATION} if a certificate or a proxy of the configuration cannot
     *     be used
     */
    public static KubeClient fromDefaultConfig() {
        return of(Kubeconfigs.load());
    }

    /**
     * Returns a client with this configuration. The first request connects.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if the configuration contradicts itself, requires what
     *     is not supported, or names a file that cannot be read
     */
    public static KubeClient of(ClientConfig config) {
        return KubeClient.of(OkHttpTransport.create(config), JsonCodec.standard());
    }

    /** As {@link #fromDefaultConfig()}, with the environment and the pod's files given. */
    static KubeClient fromDefaultConfig(Map<String, String> environment, InClusterConfig pod) {
        return of(Kubeconfigs.load(environment, ConfigOverrides.NONE, pod));
    }
}
