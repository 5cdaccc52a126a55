package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * How the server is verified, and what certificate is shown to it. Data is PEM text and beats the file of the same thing.
 *
 * <p>Immutable. {@link #toString()} shows no key.
 *
 * @param caFile file with the authorities to trust; empty for those the JVM trusts
 * @param caData the authorities themselves
 * @param certFile file with the client's certificate chain
 * @param certData the chain itself
 * @param keyFile file with the client's private key: PKCS#8, PKCS#1 or SEC1, not encrypted
 * @param keyData the key itself
 * @param serverName name that the server's certificate must carry, and that is sent as SNI; empty for the URL's host
 * @param insecure whether any certificate is accepted, from anybody
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

    /** Nothing said: the JVM's trust, no client certificate. */
    public static final TlsConfig NONE = new TlsConfig("", "", "", "", "", "", "", false);

    /** Fills in what is absent. */
    public TlsConfig {
        caFile = KubeconfigDefaults.orEmpty(caFile);
        caData = KubeconfigDefaults.orEmpty(caData);
        certFile = KubeconfigDefaults.orEmpty(certFile);
        certData = KubeconfigDefaults.orEmpty(certData);
        keyFile = KubeconfigDefaults.orEmpty(keyFile);
        keyData = KubeconfigDefaults.orEmpty(keyData);
        serverName = KubeconfigDefaults.orEmpty(serverName);
    }

    public boolean hasCa() {
        return !caFile.isEmpty() || !caData.isEmpty();
    }

    public boolean hasCertificate() {
        return !certFile.isEmpty() || !certData.isEmpty();
    }

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
