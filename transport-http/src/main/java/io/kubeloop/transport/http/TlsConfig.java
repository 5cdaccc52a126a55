/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The verification of the server and the certificate of the client. Data is PEM text and takes precedence over the file
 * of the same setting.
 *
 * <p>Immutable. {@link #toString()} shows no key.
 *
 * @param caFile a file with the CA certificates to trust; empty for those that the JVM trusts
 * @param caData the CA certificates as text
 * @param certFile a file with the client's certificate chain
 * @param certData the client's certificate chain as text
 * @param keyFile a file with the client's private key: PKCS#8, PKCS#1 or SEC1, not encrypted
 * @param keyData the client's private key as text
 * @param serverName the name that the server's certificate must have, and that is sent as SNI; empty for the URL's host
 * @param insecure whether every certificate is accepted, from any server
 */
@RecordBuilder
public record TlsConfig(
        String caFile,
        String caData,
        String certFile,
        String certData,
        String keyFile,
        String keyData,
        String serverName,
        boolean insecure) {

    /** No settings: the JVM's trust, and no client certificate. */
    public static final TlsConfig NONE = new TlsConfig("", "", "", "", "", "", "", false);

    /** Replaces null by the empty value. */
    public TlsConfig {
        caFile = KubeconfigDefaults.orEmpty(caFile);
        caData = KubeconfigDefaults.orEmpty(caData);
        certFile = KubeconfigDefaults.orEmpty(certFile);
        certData = KubeconfigDefaults.orEmpty(certData);
        keyFile = KubeconfigDefaults.orEmpty(keyFile);
        keyData = KubeconfigDefaults.orEmpty(keyData);
        serverName = KubeconfigDefaults.orEmpty(serverName);
    }

    /** Returns whether CA certificates are configured. */
    public boolean hasCa() {
        return !caFile.isEmpty() || !caData.isEmpty();
    }

    /** Returns whether a client certificate is configured. */
    public boolean hasCertificate() {
        return !certFile.isEmpty() || !certData.isEmpty();
    }

    /** Returns whether a client key is configured. */
    public boolean hasKey() {
        return !keyFile.isEmpty() || !keyData.isEmpty();
    }

    @Override
    public String toString() {
        return "TlsConfig[caFile=" + caFile + ", caData=" + size(caData) + ", certFile=" + certFile + ", certData="
                + size(certData) + ", keyFile=" + keyFile + ", keyData=" + Redaction.masked(keyData) + ", serverName="
                + serverName + ", insecure=" + insecure + "]";
    }

    private static String size(String pem) {
        return pem.isEmpty() ? "" : "(" + pem.length() + " characters)";
    }
}
