/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Adapts the JVM's trust manager to other TLS providers. Immutable.
 *
 * <p>With TLS 1.3, the key exchange does not depend on the certificate any more. The JVM then names it {@code UNKNOWN};
 * other providers name it {@code GENERIC}, which the JVM's trust manager rejects.
 */
final class KeyExchangeNames extends X509ExtendedTrustManager {

    private static final Set<String> NEUTRAL = Set.of("GENERIC", "");

    private final X509ExtendedTrustManager judge;

    KeyExchangeNames(X509ExtendedTrustManager judge) {
        this.judge = judge;
    }

    private static @Nullable String known(@Nullable String authType) {
        return authType != null && NEUTRAL.contains(authType) ? "UNKNOWN" : authType;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judge.checkServerTrusted(chain, known(authType));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        judge.checkServerTrusted(chain, known(authType), socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        judge.checkServerTrusted(chain, known(authType), engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        judge.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        judge.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        judge.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
