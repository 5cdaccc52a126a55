/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** Certificates of an authority in a directory, made by the JDK's keytool. */
record IssuedKeys(Certificate certificate, String key, List<KeyManager> identity) {

    private static final char[] SECRET = "secret".toCharArray();

    /** Makes the authority of a directory, whose certificate a server on this machine can present. */
    static IssuedKeys authority(Path dir) throws Exception {
        keytool(
                dir,
                "-genkeypair",
                "-alias",
                "ca",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "bc=ca:true",
                "-ext",
                "san=ip:127.0.0.1");
        return read(dir, "ca");
    }

    /**
     * Makes a certificate that the authority of the directory issues.
     *
     * @param more further arguments of keytool
     */
    static IssuedKeys issue(Path dir, String subject, String usage, String... more) throws Exception {
        String alias = "client" + subject.hashCode();
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                subject,
                "-signer",
                "ca",
                "-ext",
                "eku=" + usage));
        arguments.addAll(List.of(more));
        keytool(dir, arguments.toArray(String[]::new));
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
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(keytool.waitFor()).as(output).isZero();
    }

    private static IssuedKeys read(Path dir, String alias) throws Exception {
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("store.p12"))) {
            all.load(in, SECRET);
        }
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry(alias, all.getKey(alias, SECRET), new char[0], all.getCertificateChain(alias));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(own, new char[0]);
        return new IssuedKeys(
                all.getCertificate(alias),
                pem("PRIVATE KEY", all.getKey(alias, SECRET).getEncoded()),
                List.of(managers.getKeyManagers()));
    }

    /** Returns the certificate in PEM. */
    String pem() throws Exception {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
