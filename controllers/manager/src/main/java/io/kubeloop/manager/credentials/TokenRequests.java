/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.credentials;

import io.kubeloop.api.Status;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Requests tokens of one service account (the {@code token} subresource, KEP-1205). Thread-safe: holds nothing that
 * changes.
 */
public final class TokenRequests {

    private static final Duration LIFETIME = Duration.ofHours(1);

    /** The part of its lifetime after which a token is replaced; the value of the kubelet. */
    private static final double RENEW_AFTER = 0.8;

    private final Transport transport;
    private final ObjectCodec codec;
    private final String path;
    private final Clock clock;
    private final Runnable makeAccount;

    /**
     * A token and its time of renewal.
     *
     * @param value the token
     * @param renewAt when to request the next token
     */
    record Token(String value, Instant renewAt) {

        @Override
        public String toString() {
            return "Token[renewAt=" + renewAt + "]";
        }
    }

    /**
     * Creates an instance for one service account.
     *
     * @param makeAccount creates the account; called when the server does not have it
     */
    public TokenRequests(
            Transport transport,
            ObjectCodec codec,
            String namespace,
            String account,
            Clock clock,
            Runnable makeAccount) {
        this.transport = transport;
        this.codec = codec;
        this.path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + account + "/token";
        this.clock = clock;
        this.makeAccount = makeAccount;
    }

    /**
     * Returns a new token. If the account is missing, creates it and requests the token again. Blocks until the server
     * has answered.
     *
     * @throws ApiException if the server rejects the request
     * @throws TransportException if there is no complete answer
     */
    Token request() {
        try {
            return send();
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            makeAccount.run();
            return send();
        }
    }

    private Token send() {
        JsonObject body = JsonObject.EMPTY
                .with("apiVersion", "authentication.k8s.io/v1")
                .with("kind", "TokenRequest")
                .with("spec", JsonObject.EMPTY.with("expirationSeconds", LIFETIME.toSeconds()));
        ApiRequest request = ApiRequest.of(
                "POST", path, Map.of(), ApiRequest.Body.json(body.toString().getBytes(StandardCharsets.UTF_8)));
        Instant now = clock.instant();
        try (ApiResponse response = transport.execute(request)) {
            byte[] answer = response.body().readAllBytes();
            if (!response.isSuccessful()) {
                Status status = codec.decodeStatus(response.code(), answer);
                throw new ApiException(request.describe(), status, null);
            }
            JsonObject status = JsonObject.parse(answer).object("status");
            Instant expires = Time.parse(status.string("expirationTimestamp")).instant();
            long life = Math.max(0, Duration.between(now, expires).toMillis());
            return new Token(status.string("token"), now.plusMillis((long) (life * RENEW_AFTER)));
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the answer ended early: " + e.getMessage(),
                    e);
        }
    }
}
