/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signatures in the data of {@code cluster-info}: one per token, each a JSON Web Signature without its content
 * (upstream: {@code jws.ComputeDetachedSignature}; RFC 7515, appendix F). Stateless.
 */
final class ClusterInfoSignatures {

    static final String CONTENT = "kubeconfig";

    private static final String PREFIX = "jws-kubeconfig-";
    private static final String MAC = "HmacSHA256";

    private ClusterInfoSignatures() {}

    /**
     * Returns the data with the signatures of exactly these tokens. Data without a {@code kubeconfig} stays as it is.
     *
     * @param tokens the first token of an id counts
     */
    static Map<String, String> signed(Map<String, String> data, List<BootstrapToken> tokens) {
        String content = data.get(CONTENT);
        if (content == null) {
            return data;
        }
        Map<String, String> signed = new LinkedHashMap<>(data);
        signed.keySet().removeIf(key -> key.startsWith(PREFIX));
        tokens.forEach(token -> signed.computeIfAbsent(PREFIX + token.id(), key -> signature(content, token)));
        return signed;
    }

    private static String signature(String content, BootstrapToken token) {
        String header = encode("{\"alg\":\"HS256\",\"kid\":\"" + token.id() + "\"}");
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(token.secret().getBytes(StandardCharsets.UTF_8), MAC));
            byte[] signature = mac.doFinal((header + "." + encode(content)).getBytes(StandardCharsets.US_ASCII));
            return header + ".." + encode(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Cannot sign " + CONTENT + " of cluster-info: " + e.getMessage(), e);
        }
    }

    private static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
