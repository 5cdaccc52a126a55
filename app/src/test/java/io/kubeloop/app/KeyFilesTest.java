/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.command.ShutdownSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unusable files of keys and certificates are reported at the start, before any server is contacted. */
class KeyFilesTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path home;

    private String garbage = "";
    private String key = "";

    @BeforeEach
    void createFiles() throws Exception {
        garbage = file("garbage", "no PEM");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        key = file(
                "key",
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(
                                        generator.generateKeyPair().getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content).toString();
    }

    private void assertRejected(String message, String... arguments) {
        PrintWriter out = new PrintWriter(new StringWriter());
        err.getBuffer().setLength(0);
        assertThat(Main.run(ShutdownSignal.inert(), out, new PrintWriter(err, true), arguments))
                .as("exit code; %s", err)
                .isEqualTo(2);
        assertThat(err.toString()).contains(message).doesNotContain("unexpected failure");
    }

    private void assertManagerRejects(String message, String... flags) {
        String[] all = new String[flags.length + 2];
        all[0] = "controller-manager";
        all[1] = "--master=http://127.0.0.1:1";
        System.arraycopy(flags, 0, all, 2, flags.length);
        assertRejected(message, all);
    }

    @Test
    void authority_unusableFiles_areNamed() {
        String certificates = "--cluster-signing-cert-file=";
        String keys = "--cluster-signing-key-file=";
        assertManagerRejects("expected 1 certificate, found 0", certificates + garbage, keys + key);
        assertManagerRejects("cannot read " + home.resolve("none"), certificates + home.resolve("none"), keys + key);
        assertManagerRejects(
                "--cluster-signing-kubelet-client-cert-file " + garbage,
                "--cluster-signing-kubelet-client-cert-file=" + garbage,
                "--cluster-signing-kubelet-client-key-file=" + key);
        assertManagerRejects(
                "\"cluster-signing-legacy-unknown\": cannot specify key without cert",
                "--cluster-signing-legacy-unknown-key-file=" + key);
        assertManagerRejects(
                "cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same"
                        + " time",
                certificates + garbage,
                "--cluster-signing-kubelet-serving-cert-file=" + garbage,
                "--cluster-signing-kubelet-serving-key-file=" + key);
        assertManagerRejects(
                "cluster-signing-duration must be greater than 0s, but got 0s", "--cluster-signing-duration=0");
        assertManagerRejects(
                "legacy-service-account-token-clean-up-period must be greater than 0s, but got 0s",
                "--legacy-service-account-token-clean-up-period=0");
    }

    @Test
    void tokens_unusableFiles_areNamed() {
        for (String flag : List.of("--service-account-signing-key-file", "--service-account-key-file")) {
            assertRejected(flag + " " + garbage + ": no PEM", "apiserver", "--port=0", flag + "=" + garbage);
        }
        assertRejected(
                "issuers must be given, different and not empty",
                "apiserver",
                "--port=0",
                "--service-account-issuer=a",
                "--service-account-issuer=a");
        assertRejected("scheme https", "apiserver", "--port=0", "--service-account-jwks-uri=http://x");
    }
}
