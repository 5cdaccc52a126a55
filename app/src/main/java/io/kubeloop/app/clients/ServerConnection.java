package io.kubeloop.app.clients;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.app.cli.FailureException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.Kubeconfigs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** How the commands reach an API server. */
public final class ServerConnection {

    private ServerConnection() {}

    /**
     * Returns what flags, pod, environment or home directory say, in this order.
     *
     * @throws io.kubeloop.transport.http.KubeconfigException if none of them leads anywhere
     */
    public static ClientConfig config(String kubeconfig, String master) {
        return Kubeconfigs.fromFlags(master, kubeconfig);
    }

    /**
     * Asks the server for its version, so that a wrong address or credential is said at once and in one line.
     *
     * @throws FailureException if the server answers that it will not
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
            throw new UncheckedIOException(request.describe() + ": the answer broke off: " + e.getMessage(), e);
        }
    }
}
