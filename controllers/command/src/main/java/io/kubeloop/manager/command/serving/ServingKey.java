/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.transport.http.SigningKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serving certificate with its key, of two files or of memory. Files that change are read again at the next
 * handshake; if they cannot be used, the former certificate stays. Thread-safe.
 */
public final class ServingKey {

    private static final Logger LOG = LoggerFactory.getLogger(ServingKey.class);

    /*
     * Invariants: chain and key of a Content belong together; generations grow by one. Threads: those of handshakes.
     * No lock: several may read changed files at the same time, and the first that is done replaces the state.
     */

    /**
     * A certificate chain and its key.
     *
     * @param generation counts the contents of the files; a handshake names it, so chain and key fit each other
     */
    record Content(int generation, List<X509Certificate> chain, PrivateKey key) {

        /** Returns the names that the certificate is for, in lower case. */
        Set<String> names() {
            Set<String> names = new TreeSet<>();
            try {
                for (List<?> name : orEmpty(chain.get(0).getSubjectAlternativeNames())) {
                    boolean isDnsOrAddress =
                            name.get(0).equals(2) || name.get(0).equals(7);
                    if (isDnsOrAddress) {
                        names.add(name.get(1).toString().toLowerCase(Locale.ROOT));
                    }
                }
            } catch (GeneralSecurityException e) {
                LOG.warn("Cannot read the names of the certificate {}: {}", chain.get(0), e.getMessage());
            }
            return names;
        }

        private static <T> Iterable<T> orEmpty(@Nullable Iterable<T> values) {
            return values == null ? List.of() : values;
        }
    }

    /**
     * What was read last.
     *
     * @param stamp identifies the state of the files, also if their content could not be used
     */
    private record State(
            List<String> stamp, Content current, @Nullable Content former) {}

    private final @Nullable Path certificate;
    private final @Nullable Path key;

    private final AtomicReference<State> state;

    private ServingKey(@Nullable Path certificate, @Nullable Path key, List<String> stamp, Content content) {
        this.certificate = certificate;
        this.key = key;
        this.state = new AtomicReference<>(new State(stamp, content, null));
    }

    /**
     * Reads the files.
     *
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if the files have no certificate with its key
     */
    public static ServingKey ofFiles(Path certificate, Path key) throws IOException {
        List<String> stamp = stamp(certificate, key);
        Content content = content(0, Files.readString(certificate), Files.readString(key));
        return new ServingKey(certificate, key, stamp, content);
    }

    /**
     * Returns a key that stays.
     *
     * @throws IllegalArgumentException if the texts in PEM have no certificate with its key
     */
    public static ServingKey ofText(String certificate, String key) {
        return new ServingKey(null, null, List.of(), content(0, certificate, key));
    }

    private State state() {
        return Objects.requireNonNull(state.get(), "set by the constructor");
    }

    /** Returns the content; reads changed files first. */
    Content content() {
        State before = state();
        if (certificate == null || key == null) {
            return before.current();
        }
        try {
            List<String> stamp = stamp(certificate, key);
            if (!stamp.equals(before.stamp())) {
                change(before, stamp, certificate, key);
            }
        } catch (IOException e) {
            LOG.warn("Cannot read the serving certificate {}; the former one stays: {}", certificate, e.toString());
        }
        return state().current();
    }

    /** Replaces the state, unless another handshake has done so; content that cannot be used is reported once. */
    private void change(State before, List<String> stamp, Path certificate, Path key) throws IOException {
        Content current = before.current();
        try {
            Content changed = content(current.generation() + 1, Files.readString(certificate), Files.readString(key));
            if (state.compareAndSet(before, new State(stamp, changed, current))) {
                LOG.info("Read the serving certificate {} again", certificate);
            }
        } catch (IllegalArgumentException e) {
            if (state.compareAndSet(before, new State(stamp, current, before.former()))) {
                LOG.warn(
                        "Cannot use the changed serving certificate {}; the former one stays: {}",
                        certificate,
                        e.getMessage());
            }
        }
    }

    /** Returns the content that a handshake has chosen; null if it is older than the former one. */
    @Nullable
    Content content(int generation) {
        State now = state();
        Content former = now.former();
        return now.current().generation() == generation
                ? now.current()
                : former != null && former.generation() == generation ? former : null;
    }

    /** A file that is replaced has another key, one that is written another time or size. */
    private static List<String> stamp(Path... files) throws IOException {
        List<String> stamp = new ArrayList<>();
        for (Path file : files) {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            stamp.add(attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size());
        }
        return stamp;
    }

    private static Content content(int generation, String certificate, String key) {
        try {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.UTF_8)))
                    .toArray(X509Certificate[]::new);
            if (chain.length == 0) {
                throw new IllegalArgumentException("the file of the certificate has none");
            }
            KeyPair pair = SigningKeys.parse(key);
            if (!Arrays.equals(
                    pair.getPublic().getEncoded(), chain[0].getPublicKey().getEncoded())) {
                throw new IllegalArgumentException("the private key does not match the certificate");
            }
            return new Content(generation, List.of(chain), pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificate cannot be read: " + e.getMessage(), e);
        }
    }
}
