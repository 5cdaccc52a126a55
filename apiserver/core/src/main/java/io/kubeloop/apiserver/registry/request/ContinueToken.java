/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry.request;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * The start and the version of the next page of a list (upstream: {@code apiserver/pkg/storage/continue.go}).
 * Opaque to clients.
 *
 * @param revision the version of the list; -1 for the current one
 * @param nextKey the first key of the next page
 */
public record ContinueToken(long revision, String nextKey) {

    private static final String VERSION = "meta.k8s.io/v1";

    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    /** Returns the token of the page after an object. */
    public static ContinueToken after(long revision, String lastKey) {
        return new ContinueToken(revision, lastKey + "\0");
    }

    public String encode() {
        byte[] json = JsonObject.builder()
                .put("v", VERSION)
                .put("rv", revision)
                .put("start", nextKey)
                .build()
                .toBytes();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    /**
     * Decodes a token.
     *
     * @throws StatusException 400 if this server has not issued the token
     */
    public static ContinueToken decode(String text) {
        JsonObject json;
        try {
            byte[] decoded = Base64.getUrlDecoder().decode(text);
            String syntax = TypedJson.syntaxError(decoded);
            if (syntax != null) {
                throw invalid("continue key is not valid: " + syntax);
            }
            json = JsonObject.parse(new String(decoded, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw invalid("continue key is not valid: illegal base64 data at input byte " + badByte(text));
        } catch (DecodeException e) {
            throw invalid("continue key is not valid: " + e.getMessage());
        }
        Long revision = json.number("rv");
        String start = json.string("start");
        if (!json.string("v").equals(VERSION)) {
            throw invalid(
                    "continue key is not valid: server does not recognize this encoded version " + json.string("v"));
        }
        if (revision == null || revision == 0) {
            throw invalid(
                    "continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
        }
        if (start.isEmpty()) {
            throw invalid("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
        }
        String key = start.startsWith("/") ? start.substring(1) : start;
        if (!Stream.of(key.split("/", -1)).allMatch(ContinueToken::isName)) {
            throw invalid("continue key is not valid: " + start);
        }
        return new ContinueToken(revision, key);
    }

    /** Returns whether a path contains the segment as it is, so no token leads out of its list. */
    private static boolean isName(String segment) {
        return !segment.isEmpty() && !segment.equals(".") && !segment.equals("..");
    }

    /** Returns the index at which Go's decoder stops: the first bad character, or the start of an incomplete group. */
    private static int badByte(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (BASE64.indexOf(text.charAt(i)) < 0) {
                return i;
            }
        }
        return text.length() - text.length() % 4;
    }

    private static StatusException invalid(String why) {
        return StatusException.badRequest("invalid continue token: " + why);
    }
}
