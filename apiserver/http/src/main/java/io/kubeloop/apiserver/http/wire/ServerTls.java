package io.kubeloop.apiserver.http.wire;

import javax.net.ssl.SSLContext;

/**
 * The server's side of TLS.
 *
 * @param context creates the connections; its trust manager lists the authorities of client certificates
 * @param requestsCertificates whether the server requests a certificate from each client, which may have none
 */
public record ServerTls(SSLContext context, boolean requestsCertificates) {}
