/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.wire.ServerTls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate for this machine, created with the JDK's keytool. */
public final class TestCertificate {

    private final byte[] certificate;
    private final String key;

    private TestCertificate(byte[] certificate, String key) {
        this.certificate = certificate;
        this.key = key;
    }

    public static TestCertificate make(Path dir) throws Exception {
        return make(dir, "ip:127.0.0.1,dns:localhost");
    }

    /** Creates a certificate for these names, in keytool's syntax. More names make it larger. */
    public static TestCertificate make(Path dir, String names) throws Exception {
        keytool(
                dir,
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
                "-ext",
                "bc=ca:true");
        return read(dir, "server");
    }

    /**
     * Creates a certificate of another subject that the certificate of this directory has issued.
     *
     * @param extension the usage of its key, in keytool's syntax
     */
    static TestCertificate issue(Path dir, String subject, String extension) throws Exception {
        return issue(dir, subject, extension, "SHA256withECDSA", "-keyalg", "EC", "-groupname", "secp256r1");
    }

    /** The same, with another signature of the issuer and options of keytool for another key. */
    static TestCertificate issue(Path dir, String subject, String extension, String signature, String... key)
            throws Exception {
        String alias = "client-" + Objects.hash(subject, extension, signature, List.of(key));
        List<String> pair = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-dname", subject));
        pair.addAll(List.of("-signer", "server", "-ext", extension, "-sigalg", signature));
        pair.addAll(List.of(key));
        keytool(dir, pair.toArray(String[]::new));
        return read(dir, alias);
    }

    private static void keytool(Path dir, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1", // half of its processor time is the second compiler's
                "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", dir.resolve("store.p12").toString(), "-storepass", "secret"));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
        assertThat(keytool.waitFor()).as(output).isZero();
    }

    private static TestCertificate read(Path dir, String alias) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("store.p12"))) {
            keys.load(in, "secret".toCharArray());
        }
        return new TestCertificate(
                pem("CERTIFICATE", keys.getCertificate(alias).getEncoded()).getBytes(US_ASCII),
                pem("PRIVATE KEY", keys.getKey(alias, "secret".toCharArray()).getEncoded()));
    }

    static String pem(String type, byte[] der) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }

    /** Returns the certificate in PEM. */
    public byte[] certificate() {
        return certificate.clone();
    }

    /** Returns its private key in PEM. */
    public String key() {
        return key;
    }

    /** Returns the side of TLS of a server with this certificate. */
    public ServerTls serving() {
        return ServingCertificate.load(certificate, key).tls();
    }

    /** Returns the TLS context of a client that trusts only this certificate. */
    SSLContext trusting() throws Exception {
        return trusting(null);
    }

    /** Returns the TLS context of a client that trusts only this certificate and has these keys. */
    SSLContext trusting(KeyManager @Nullable [] keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server",
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, managers.getTrustManagers(), null);
        return context;
    }

    /** Returns the key manager of a client that identifies itself with this certificate. */
    KeyManager[] identity() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate own =
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
        byte[] der = Base64.getMimeDecoder().decode(key.replaceAll("-----.*-----", ""));
        store.setKeyEntry(
                "client",
                KeyFactory.getInstance(own.getPublicKey().getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der)),
                new char[0],
                new Certificate[] {own});
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        return managers.getKeyManagers();
    }
}
