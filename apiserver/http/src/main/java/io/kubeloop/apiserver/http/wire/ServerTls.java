/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The server's side of TLS.
 *
 * @param context creates the connections; its trust manager lists the authorities of client certificates
 * @param parameters the protocols, the ciphers, and whether the server requests a certificate from each client, which
 *     may have none
 */
public record ServerTls(SSLContext context, SSLParameters parameters) {

    /**
     * The property with which the JDK rejects renegotiation by clients, which costs the server more than the client.
     */
    private static final String RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /**
     * Turns renegotiation off, unless the user has set the property. Must run before the first connection of the
     * process.
     */
    public ServerTls {
        if (System.getProperty(RENEGOTIATION) == null) {
            System.setProperty(RENEGOTIATION, "true");
        }
    }

    /** Returns a server of TLS 1.2 and 1.3 with the ciphers of the JDK. */
    public static ServerTls of(SSLContext context, boolean requestsCertificates) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        parameters.setWantClientAuth(requestsCertificates);
        return new ServerTls(context, parameters);
    }
}
