/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every certificate of one side of a connection, and none of the other. All six checks are overridden, because
 * the JDK verifies a host's name after a check that it inherits. Immutable.
 */
final class OneSidedTrust extends X509ExtendedTrustManager {

    private final boolean clients;

    private final X509Certificate[] authorities;

    /**
     * @param clients whether clients are accepted; else servers are
     * @param authorities are named to the accepted side
     */
    OneSidedTrust(boolean clients, X509Certificate... authorities) {
        this.clients = clients;
        this.authorities = authorities.clone();
    }

    private void checkClient() throws CertificateException {
        if (!clients) {
            throw new CertificateException("this is a client");
        }
    }

    private void checkServer() throws CertificateException {
        if (clients) {
            throw new CertificateException("this server is not a client");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        checkClient();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        checkClient();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        checkClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        checkServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        checkServer();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        checkServer();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.clone();
    }
}
