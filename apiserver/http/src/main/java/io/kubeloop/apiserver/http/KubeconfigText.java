/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The kubeconfig of a server, as text. Stateless. */
public final class KubeconfigText {

    private KubeconfigText() {}

    /**
     * Returns a kubeconfig in YAML whose only context uses the namespace {@code default}.
     *
     * @param serverUrl the address of the server
     * @param certificates the certificates that the client trusts, as PEM; empty without TLS
     * @param token the bearer token of the client; empty without tokens
     */
    public static String of(String serverUrl, String certificates, String token) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: kubeloop
                  cluster:
                    server: %s%s
                users:
                - name: kubeloop
                  user: {%s}
                contexts:
                - name: kubeloop
                  context:
                    cluster: kubeloop
                    user: kubeloop
                    namespace: default
                current-context: kubeloop
                """.formatted(serverUrl, authority(certificates), user(token));
    }

    private static String authority(String certificates) {
        byte[] bytes = certificates.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.length == 0
                ? ""
                : "\n    certificate-authority-data: " + Base64.getEncoder().encodeToString(bytes);
    }

    private static String user(String token) {
        return token.isEmpty() ? "" : "token: \"" + token.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
