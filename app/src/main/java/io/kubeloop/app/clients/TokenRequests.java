package io.kubeloop.app.clients;

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

/** Asks for tokens of one service account (the {@code token} subresource, KEP-1205). Thread-safe: holds nothing that changes. */
final class TokenRequests {

    private static final Duration LIFETIME = Duration.ofHours(1);

    /** A token is replaced after this part of its life, as the kubelet does. */
    private static final double RENEW_AFTER = 0.8;

    private final Transport transport;
    private final ObjectCodec codec;
    private final String path;
    private final Clock clock;
    private final Runnable makeAccount;

    /**
     * A token and when to ask for the next one.
     *
     * @param value the token
     * @param renewAt when most of its life is over
     */
    record Token(String value, Instant renewAt) {

        @Override
        public String toString() {
            return "Token[renewAt=" + renewAt + "]";
        }
    }

    /**
     * Makes what asks for an account's tokens.
     *
     * @param makeAccount called when the server knows no such account
     */
    TokenRequests(
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
     * Returns a new token. The account is made anew if somebody has deleted it, and asked for once more. Blocks.
     *
     * @throws ApiException if the server refuses
     * @throws TransportException if no answer came
     */
    Token request() {
        try {
            return ask();
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            makeAccount.run();
            return ask();
        }
    }

    private Token ask() {
        JsonObject asked = JsonObject.EMPTY
                .with("apiVersion", "authentication.k8s.io/v1")
                .with("kind", "TokenRequest")
                .with("spec", JsonObject.EMPTY.with("expirationSeconds", LIFETIME.toSeconds()));
        ApiRequest request = ApiRequest.of(
                "POST", path, Map.of(), ApiRequest.Body.json(asked.toString().getBytes(StandardCharsets.UTF_8)));
        Instant now = clock.instant();
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.body().readAllBytes();
            if (!response.isSuccessful()) {
                Status status = codec.decodeStatus(response.code(), body);
                throw new ApiException(request.describe(), status, null);
            }
            JsonObject status = JsonObject.parse(body).object("status");
            Instant expires = Time.parse(status.string("expirationTimestamp")).instant();
            long life = Math.max(0, Duration.between(now, expires).toMillis());
            return new Token(status.string("token"), now.plusMillis((long) (life * RENEW_AFTER)));
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the answer broke off: " + e.getMessage(),
                    e);
        }
    }
}
