package io.kubeloop.transport.http;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that the client shows, which may change while it lives: new connections show the new one.
 *
 * <p>Thread-safe. The TLS stack asks in steps (an alias, its chain, its key); an alias names one generation, so that a
 * change between two steps cannot mix a chain with another's key.
 */
final class ClientIdentity extends X509ExtendedKeyManager {

    /** A chain with its key, and where it stands in the order of changes. */
    private record Generation(long number, String pem, List<X509Certificate> chain, PrivateKey key) {

        String alias() {
            return "client-" + number;
        }
    }

    /** The present identity and the one before it, as one value that is swapped whole. */
    private record Held(
            @Nullable Generation present, @Nullable Generation former) {}

    // Written under this object's monitor by whoever renews; read without it by TLS handshakes on calling threads.
    private volatile Held held = new Held(null, null);

    /**
     * Shows this certificate from now on; returns whether that is a change.
     *
     * @throws IllegalArgumentException if chain or key cannot be read
     */
    boolean set(String certificatePem, String keyPem) {
        String pem = certificatePem + '\n' + keyPem;
        Generation present = held.present();
        if (present != null && present.pem().equals(pem)) {
            return false;
        }
        List<X509Certificate> chain = Certificates.parse(certificatePem);
        PrivateKey key = PrivateKeys.parse(keyPem);
        synchronized (this) {
            present = held.present();
            held = new Held(new Generation(present == null ? 1 : present.number() + 1, pem, chain, key), present);
        }
        return present != null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        Generation present = held.present();
        return present != null && Arrays.asList(keyTypes).contains(present.key().getAlgorithm())
                ? present.alias()
                : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return chooseClientAlias(keyTypes, issuers, null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Generation generation = find(alias);
        return generation == null ? null : generation.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Generation generation = find(alias);
        return generation == null ? null : generation.key();
    }

    private @Nullable Generation find(String alias) {
        Held now = held;
        for (Generation generation : new Generation[] {now.present(), now.former()}) {
            if (generation != null && generation.alias().equals(alias)) {
                return generation;
            }
        }
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = chooseClientAlias(new String[] {keyType}, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
