/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate authority in two files, which may be replaced while the process runs (upstream: {@code
 * signer.caProvider}).
 *
 * <p>Thread-safe. {@link #get} reads both files.
 */
public final class CertificateAuthorityFiles implements Supplier<CertificateAuthority> {

    // Threads: workers call get() at the same time. Two of them may parse the same new files; the results are equal.

    private static final Logger LOG = LoggerFactory.getLogger(CertificateAuthorityFiles.class);

    private final Path certificateFile;
    private final Path keyFile;
    private volatile Loaded loaded;

    private record Loaded(String certificate, String key, CertificateAuthority authority) {}

    private CertificateAuthorityFiles(Path certificateFile, Path keyFile) {
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        loaded = load(content(certificateFile), content(keyFile));
    }

    /**
     * Reads the files.
     *
     * @param certificateFile PEM with one certificate
     * @param keyFile PEM with its private key
     * @throws UncheckedIOException if a file cannot be read
     * @throws IllegalArgumentException as {@link CertificateAuthority#parse}
     */
    public static CertificateAuthorityFiles read(Path certificateFile, Path keyFile) {
        return new CertificateAuthorityFiles(certificateFile, keyFile);
    }

    /** Returns the authority. If changed files cannot be used, the previous authority stays in use. */
    @Override
    public CertificateAuthority get() {
        Loaded last = loaded;
        try {
            String certificate = content(certificateFile);
            String key = content(keyFile);
            if (certificate.equals(last.certificate()) && key.equals(last.key())) {
                return last.authority();
            }
            Loaded changed = load(certificate, key);
            loaded = changed;
            LOG.info("Loaded a new certificate authority from {}", certificateFile);
            return changed.authority();
        } catch (UncheckedIOException | IllegalArgumentException e) {
            LOG.warn(
                    "Cannot load the certificate authority of {} and {}, using the previous one: {}",
                    certificateFile,
                    keyFile,
                    e.getMessage());
            return last.authority();
        }
    }

    private static Loaded load(String certificate, String key) {
        return new Loaded(certificate, key, CertificateAuthority.parse(certificate, key));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e, e);
        }
    }
}
