/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.apiserver.http.wire.PemTls;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The serving certificate of two files. Each handshake looks whether they have changed, and reads them again if so.
 * Files that cannot be used are reported, and the certificate before them stays. Thread-safe.
 */
final class ReloadedKeys extends X509ExtendedKeyManager {

    private static final Logger log = LoggerFactory.getLogger(ReloadedKeys.class);

    /** The keys of one reading, under an alias of their own: a handshake names them three times. */
    private record Loaded(String alias, X509ExtendedKeyManager keys) {}

    /**
     * What was read last.
     *
     * @param stamp identifies the state of the files, also if they could not be used
     * @param former the keys before, which handshakes may still use
     */
    private record State(String stamp, Loaded current, Loaded former) {}

    private final Path certificate;
    private final Path key;
    private final AtomicReference<State> state;

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if the files have no certificate with its key
     */
    ReloadedKeys(Path certificate, Path key) throws IOException {
        this.certificate = certificate;
        this.key = key;
        String stamp = stamp();
        Loaded first = load(stamp);
        state = new AtomicReference<>(new State(stamp, first, first));
    }

    private Loaded load(String alias) throws IOException {
        return new Loaded(
                alias, (X509ExtendedKeyManager) PemTls.keys(Files.readAllBytes(certificate), Files.readString(key))[0]);
    }

    private State state() {
        return Objects.requireNonNull(state.get(), "set by the constructor");
    }

    private String stamp() throws IOException {
        StringBuilder stamp = new StringBuilder();
        for (Path file : new Path[] {certificate, key}) {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            stamp.append(attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size() + " ");
        }
        return stamp.toString();
    }

    private Loaded newest() {
        State before = state();
        try {
            String stamp = stamp();
            if (!stamp.equals(before.stamp())) {
                change(before, stamp);
            }
        } catch (IOException e) {
            log.warn("Cannot read the serving certificate {}; the former one stays: {}", certificate, e.toString());
        }
        return state().current();
    }

    /** Replaces the state, unless another handshake has done so; files that cannot be used are reported once. */
    private void change(State before, String stamp) throws IOException {
        try {
            if (state.compareAndSet(before, new State(stamp, load(stamp), before.current()))) {
                log.info("Read the serving certificate {} again", certificate);
            }
        } catch (IllegalArgumentException e) {
            if (state.compareAndSet(before, new State(stamp, before.current(), before.former()))) {
                log.warn(
                        "Cannot use the changed serving certificate {}; the former one stays: {}",
                        certificate,
                        e.getMessage());
            }
        }
    }

    private @Nullable Loaded of(String alias) {
        State now = state();
        return now.current().alias().equals(alias)
                ? now.current()
                : now.former().alias().equals(alias) ? now.former() : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        Loaded newest = newest();
        return newest.keys().chooseServerAlias(keyType, issuers, socket) == null ? null : newest.alias();
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Loaded loaded = of(alias);
        return loaded == null ? null : loaded.keys().getCertificateChain(PemTls.ALIAS);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Loaded loaded = of(alias);
        return loaded == null ? null : loaded.keys().getPrivateKey(PemTls.ALIAS);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // a handshake chooses one
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
