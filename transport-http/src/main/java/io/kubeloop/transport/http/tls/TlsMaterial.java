/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The content of the files and data of a {@link TlsConfig} at one time, as PEM texts; empty where nothing is
 * configured. Immutable.
 *
 * @param authorities the certificates to trust
 * @param certificate the certificate chain of the client
 * @param key the key of the client
 */
public record TlsMaterial(String authorities, String certificate, String key) {

    /**
     * Reads the configured files and data.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if a file cannot be read
     */
    public static TlsMaterial read(TlsConfig tls) {
        return new TlsMaterial(
                read("certificate authority", tls.caData(), tls.caFile()),
                read("client certificate", tls.certData(), tls.certFile()),
                read("client key", tls.keyData(), tls.keyFile()));
    }

    /** Returns this content with another client certificate. */
    public TlsMaterial withIdentity(String newCertificate, String newKey) {
        return new TlsMaterial(authorities, newCertificate, newKey);
    }

    /** Returns whether there is a client certificate or its key. */
    public boolean hasIdentity() {
        return !certificate.isEmpty();
    }

    private static String read(String what, String data, String file) {
        if (!data.isEmpty() || file.isEmpty()) {
            return data;
        }
        try {
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new TransportException(
                    Kind.CONFIGURATION, "cannot read " + what + " " + file + ": " + IoErrors.reason(e), e);
        }
    }

    @Override
    public String toString() {
        return "TlsMaterial[" + authorities.length() + " and " + certificate.length() + " characters]";
    }
}
