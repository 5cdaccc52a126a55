/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.KubeconfigException;
import io.kubeloop.transport.http.Kubeconfigs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Finds the API server of a command and checks that it answers. Holds no state. */
public final class ServerConnection {

    private ServerConnection() {}

    /**
     * Returns the client configuration from the flags, the pod, the environment or the home directory, in this order.
     *
     * @param kubeconfig the file of {@code --kubeconfig}; empty if it is not set
     * @param master the URL of {@code --master}; empty if it is not set
     * @throws CommandException if none of them names a server
     * @throws KubeconfigException if the configuration cannot be used
     */
    public static ClientConfig config(String kubeconfig, String master) {
        try {
            return Kubeconfigs.fromFlags(master, kubeconfig);
        } catch (KubeconfigException e) {
            throw e.isEmpty()
                    ? new CommandException(e.getMessage() + "; set --kubeconfig, --master or KUBECONFIG", e)
                    : e;
        }
    }

    /**
     * Requests the version of the server, so a wrong address or credential fails at once. Blocks until the server
     * answers, with the timeouts of the client.
     *
     * @throws ApiException if the server rejects the credentials
     * @throws io.kubeloop.api.client.TransportException if the server does not answer
     */
    public static void checkReachable(KubeClient client, ClientConfig config) {
        ApiRequest request = ApiRequest.get("/version", Map.of());
        try (ApiResponse response = client.transport().execute(request)) {
            byte[] body = response.body().readAllBytes();
            if (response.code() == 401) {
                throw new ApiException(
                        request.describe() + " at " + config.server(),
                        JsonCodec.standard().decodeStatus(response.code(), body),
                        null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(request.describe() + ": the answer ended early: " + e.getMessage(), e);
        }
    }
}
