package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The start and the version of the next page of a list (upstream: {@code apiserver/pkg/storage/continue.go}).
 * Opaque to clients.
 *
 * @param revision the version of the list; -1 for the current one
 * @param lastKey the last key of the previous page
 */
record ContinueToken(long revision, String lastKey) {

    private static final String VERSION = "meta.k8s.io/v1";

    String encode() {
        byte[] json = JsonObject.builder()
                .put("v", VERSION)
                .put("rv", revision)
                .put("start", lastKey + "\0")
                .build()
                .toBytes();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    /**
     * Decodes a token.
     *
     * @throws ApiFailure 400 if this server has not issued the token
     */
    static ContinueToken decode(String text) {
        JsonObject json;
        try {
            json = JsonObject.parse(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | DecodeException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
        Long revision = json.number("rv");
        String start = json.string("start");
        if (!json.string("v").equals(VERSION) || revision == null || !start.endsWith("\0")) {
            throw invalid("unknown version or missing parts");
        }
        return new ContinueToken(revision, start.substring(0, start.length() - 1));
    }

    /** Returns the first key of the next page. */
    String nextKey() {
        return lastKey + "\0";
    }

    private static ApiFailure invalid(String why) {
        return ApiFailure.badRequest("continue key is not valid: " + why);
    }
}
