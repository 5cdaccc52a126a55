/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Selects the serving certificate of a handshake by the server name of the client: a name before a wildcard, a name
 * that is stated before one of a certificate, otherwise the default certificate. Thread-safe.
 */
public final class ServingKeys extends X509ExtendedKeyManager {

    /**
     * A certificate for some names.
     *
     * @param names the names, such as {@code a.example} or {@code *.example}; none for those of the certificate
     */
    public record Named(ServingKey key, List<String> names) {

        /** Copies the names. */
        public Named {
            names = List.copyOf(names);
        }
    }

    private final List<ServingKey> keys = new ArrayList<>();
    private final List<Named> named;

    /**
     * Creates the manager.
     *
     * @param key the default certificate
     * @param named the other ones; of two for the same name, the first counts
     */
    public ServingKeys(ServingKey key, List<Named> named) {
        this.named = List.copyOf(named);
        keys.add(key);
        named.forEach(each -> keys.add(each.key()));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return chosen(keyType, engine == null ? null : engine.getHandshakeSession());
    }

    private @Nullable String chosen(String keyType, @Nullable SSLSession handshake) {
        int index = index(handshake);
        ServingKey.Content content = keys.get(index).content();
        return content.key().getAlgorithm().equals(keyType) ? index + "-" + content.generation() : null;
    }

    private int index(@Nullable SSLSession handshake) {
        if (handshake instanceof ExtendedSSLSession session && !named.isEmpty()) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return index(host.getAsciiName().toLowerCase(Locale.ROOT));
                }
            }
        }
        return 0;
    }

    /** Returns the certificate for a server name. */
    int index(String name) {
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < named.size(); i++) {
            for (String each : named.get(i).names()) {
                indices.putIfAbsent(each.toLowerCase(Locale.ROOT), i + 1);
            }
        }
        for (int i = 0; i < named.size(); i++) {
            if (named.get(i).names().isEmpty()) {
                for (String each : named.get(i).key().content().names()) {
                    indices.putIfAbsent(each, i + 1);
                }
            }
        }
        // a.b.example, then *.b.example, then *.*.example
        String pattern = name;
        String wildcards = "";
        for (String rest = name; ; rest = rest.substring(rest.indexOf('.') + 1)) {
            Integer found = indices.get(pattern);
            if (found != null) {
                return found;
            }
            if (rest.indexOf('.') < 0) {
                return 0;
            }
            wildcards += "*.";
            pattern = wildcards + rest.substring(rest.indexOf('.') + 1);
        }
    }

    private ServingKey.@Nullable Content chosen(String alias) {
        int at = alias.indexOf('-');
        return keys.get(Integer.parseInt(alias.substring(0, at))).content(Integer.parseInt(alias.substring(at + 1)));
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServingKey.Content content = chosen(alias);
        return content == null ? null : content.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServingKey.Content content = chosen(alias);
        return content == null ? null : content.key();
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chosen(keyType, socket instanceof SSLSocket tls ? tls.getHandshakeSession() : null);
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
