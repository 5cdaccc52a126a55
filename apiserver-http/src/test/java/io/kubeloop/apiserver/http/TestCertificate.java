package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for this machine, created with the JDK's keytool. */
public final class TestCertificate {

    private final byte[] certificate;
    private final String key;

    private TestCertificate(byte[] certificate, String key) {
        this.certificate = certificate;
        this.key = key;
    }

    static TestCertificate make(Path dir) throws Exception {
        return make(dir, "ip:127.0.0.1,dns:localhost");
    }

    /** Creates a certificate for these names, in keytool's syntax. More names make it larger. */
    public static TestCertificate make(Path dir, String names) throws Exception {
        Path store = dir.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=" + names,
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "secret")
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        return new TestCertificate(
                pem("CERTIFICATE", keys.getCertificate("server").getEncoded()).getBytes(US_ASCII),
                pem("PRIVATE KEY", keys.getKey("server", "secret".toCharArray()).getEncoded()));
    }

    static String pem(String type, byte[] der) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }

    /** Returns the certificate in PEM. */
    byte[] certificate() {
        return certificate.clone();
    }

    /** Returns its private key in PEM. */
    String key() {
        return key;
    }

    /** Returns the TLS context of a server with this certificate. */
    public SSLContext serving() {
        return ServingCertificate.load(certificate, key);
    }

    /** Returns the TLS context of a client that trusts only this certificate. */
    SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server",
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
