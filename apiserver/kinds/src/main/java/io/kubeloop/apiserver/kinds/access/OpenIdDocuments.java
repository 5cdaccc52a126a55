/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.apiserver.registry.PublicDocument;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The documents by which others verify the tokens of service accounts: the configuration of the issuer and its public
 * keys (upstream: {@code pkg/serviceaccount/openidmetadata.go}; OpenID Connect Discovery 1.0). Immutable; thread-safe.
 */
public final class OpenIdDocuments {

    private static final String CONFIGURATION = "/.well-known/openid-configuration";
    private static final String KEYS = "/openid/v1/jwks";
    private static final int MAX_AGE_SECONDS = 3600;

    private final TokenKeys keys;
    private final String issuer;
    private final String keysUri;

    /**
     * Creates the documents.
     *
     * @param keysUri the address of the keys; empty for that of the server
     */
    public OpenIdDocuments(TokenKeys keys, String issuer, String keysUri) {
        this.keys = keys;
        this.issuer = issuer;
        this.keysUri = keysUri;
    }

    /**
     * Returns the documents by path, each made when it is read. There is none if the issuer is not an address that the
     * standard allows, which is one of HTTPS without a query and a fragment.
     *
     * @param server the address at which the client reaches the server, such as {@code https://127.0.0.1:6443}
     */
    public Map<String, Supplier<PublicDocument>> of(String server) {
        return isAddress() ? Map.of(CONFIGURATION, () -> configuration(server), KEYS, this::keySet) : Map.of();
    }

    private PublicDocument configuration(String server) {
        JsonObject configuration = JsonObject.EMPTY
                .with("issuer", issuer)
                .with("jwks_uri", keysUri.isEmpty() ? server + KEYS : keysUri)
                .with("response_types_supported", JsonArray.ofStrings(List.of("id_token")))
                .with("subject_types_supported", JsonArray.ofStrings(List.of("public")))
                .with("id_token_signing_alg_values_supported", JsonArray.ofStrings(keys.algorithms()));
        return new PublicDocument("application/json", configuration.toBytes(), MAX_AGE_SECONDS);
    }

    private PublicDocument keySet() {
        return new PublicDocument("application/jwk-set+json", keys.keySet().toBytes(), MAX_AGE_SECONDS);
    }

    private boolean isAddress() {
        try {
            URI address = URI.create(issuer);
            return "https".equals(address.getScheme()) && address.getQuery() == null && address.getFragment() == null;
        } catch (IllegalArgumentException e) {
            return false; // an issuer may be any text
        }
    }
}
