/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** TLS for a mock server at 127.0.0.1. */
final class LoopbackTls {

    private LoopbackTls() {}

    /** Returns a new certificate that is its own authority. */
    static HeldCertificate certificate() {
        return new HeldCertificate.Builder()
                .addSubjectAlternativeName("127.0.0.1")
                .build();
    }

    /** Returns the socket factory of a server with this certificate, which requests none from clients. */
    static SSLSocketFactory serving(HeldCertificate certificate) {
        return holding(certificate).sslSocketFactory();
    }

    /** Returns the server socket factory of such a server. */
    static SSLServerSocketFactory listening(HeldCertificate certificate) {
        return holding(certificate).sslContext().getServerSocketFactory();
    }

    private static HandshakeCertificates holding(HeldCertificate certificate) {
        return new HandshakeCertificates.Builder().heldCertificate(certificate).build();
    }

    /** Returns a configuration that trusts only this certificate. */
    static TlsConfig trusting(HeldCertificate certificate) {
        return TlsConfigBuilder.builder().caData(certificate.certificatePem()).build();
    }

    /** Returns a client of the server that trusts only this certificate. */
    static OkHttpTransport clientOf(MockWebServer server, HeldCertificate certificate) {
        return OkHttpTransport.create(configOf(server, certificate));
    }

    /** Returns the configuration of such a client. */
    static ClientConfig configOf(MockWebServer server, HeldCertificate certificate) {
        return ClientConfigBuilder.builder()
                .server("https://127.0.0.1:" + server.getPort())
                .tls(trusting(certificate))
                .build();
    }
}
