/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusBuilder;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Sends requests for documents that have no typed form. Controllers write the errors into events and conditions, so
 * their texts are those of client-go, also for a response that is no {@code Status} (upstream: {@code
 * errors.NewGenericServerResponse}).
 *
 * <p>Thread-safe. {@link #send} blocks until the server responds.
 */
public final class JsonRequests {

    private static final int LONGEST_TEXT = 2048;

    private final Transport transport;

    /** Creates a client, which sends nothing yet. */
    public JsonRequests(Transport transport) {
        this.transport = transport;
    }

    /**
     * The object of a request, for the texts of errors.
     *
     * @param group the API group; empty for the core group
     * @param resource the resource in the plural
     * @param name the object's name; empty for a collection
     */
    public record Target(String group, String resource, String name) {

        @Override
        public String toString() {
            String qualified = group.isEmpty() ? resource : resource + "." + group;
            return name.isEmpty() ? qualified : qualified + " " + name;
        }
    }

    /**
     * Sends a request and returns the document of its response.
     *
     * @throws ApiException if the server rejects the request
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     * @throws io.kubeloop.api.client.DecodeException if the response is no JSON object
     */
    public JsonObject send(ApiRequest request, Target target) {
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.wholeBody(request.describe());
            if (response.isSuccessful()) {
                return JsonObject.parse(body);
            }
            Status status = JsonCodec.standard().decodeStatus(response.code(), body);
            ApiException error = new ApiException(request.describe(), status, null);
            if (!error.hasCause(StatusReason.UNEXPECTED_SERVER_RESPONSE)) {
                throw error;
            }
            String text = genericText(response.code(), serverText(response, body)) + " ("
                    + request.method().toLowerCase(Locale.ROOT) + " " + target + ")";
            throw new ApiException(
                    request.describe(),
                    StatusBuilder.builder(status).message(text).build(),
                    null);
        }
    }

    private static String serverText(ApiResponse response, byte[] body) {
        String type = response.header("content-type");
        return type == null || type.startsWith("text/")
                ? new String(body, 0, Math.min(body.length, LONGEST_TEXT), StandardCharsets.UTF_8).strip()
                : "unknown";
    }

    private static String genericText(int code, String serverText) {
        return switch (code) {
            case 400 -> "the server rejected our request for an unknown reason";
            case 401 -> "the server has asked for the client to provide credentials";
            case 403, 415 -> serverText;
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 406 ->
                serverText.isEmpty() || serverText.equals("unknown")
                        ? "the server was unable to respond with a content type that the client supports"
                        : serverText;
            case 409 -> "the server reported a conflict";
            case 422 -> "the server rejected our request due to an error in our request";
            case 429 -> "the server has received too many requests and has asked us to try again later";
            case 503 -> "the server is currently unable to handle the request";
            case 504 ->
                "the server was unable to return a response in the time allotted, but may still be processing the"
                        + " request";
            default ->
                code >= 500
                        ? "an error on the server (\"" + serverText + "\") has prevented the request from succeeding"
                        : "the server responded with the status code " + code + " but did not return more information";
        };
    }
}
