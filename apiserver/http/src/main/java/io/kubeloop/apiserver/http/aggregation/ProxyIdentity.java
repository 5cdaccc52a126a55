/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.NewAuthority;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.gotext.GoText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.KeyManager;

/**
 * The client certificate with which this server proves that it forwards the requests of others, and the headers that
 * name these users (upstream: {@code client-go/transport.SetAuthProxyHeaders}). Immutable; thread-safe.
 */
final class ProxyIdentity {

    private static final String NAME = "front-proxy-client";
    private static final String USER = "X-Remote-User";
    private static final String UID = "X-Remote-Uid";
    private static final String GROUP = "X-Remote-Group";
    private static final String EXTRA = "X-Remote-Extra-";

    private final String authority;
    private final KeyManager[] keys;

    private ProxyIdentity(String authority, KeyManager[] keys) {
        this.authority = authority;
        this.keys = keys;
    }

    /** Makes an identity with a new authority. */
    static ProxyIdentity create(Instant now) {
        NewAuthority authority = new NewAuthority("kubeloop-front-proxy-ca", now);
        NewAuthority.Issued client = authority.issueForClient(NAME);
        return new ProxyIdentity(
                authority.pem(), PemTls.keys(client.certificate().getBytes(StandardCharsets.US_ASCII), client.key()));
    }

    /** Returns the certificate and its key. */
    KeyManager[] keys() {
        return keys.clone();
    }

    /**
     * Returns the members of {@code kube-system/extension-apiserver-authentication} from which the other servers learn
     * which certificate and which headers to accept.
     */
    Map<String, String> published() {
        return Map.of(
                "requestheader-client-ca-file", authority,
                "requestheader-allowed-names", "[\"" + NAME + "\"]",
                "requestheader-username-headers", "[\"" + USER + "\"]",
                "requestheader-uid-headers", "[\"" + UID + "\"]",
                "requestheader-group-headers", "[\"" + GROUP + "\"]",
                "requestheader-extra-headers-prefix", "[\"" + EXTRA + "\"]");
    }

    /**
     * Returns the headers of a request of this user.
     *
     * @throws BackendException if a header cannot have the value, so a name cannot add headers
     */
    static Map<String, List<String>> headers(UserInfo user) throws BackendException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        put(headers, USER, List.of(user.name()));
        put(headers, UID, user.uid().isEmpty() ? List.of() : List.of(user.uid()));
        put(headers, GROUP, user.groups());
        for (Map.Entry<String, List<String>> extra : user.extra().entrySet()) {
            put(headers, EXTRA + escaped(extra.getKey()), extra.getValue());
        }
        return headers;
    }

    private static void put(Map<String, List<String>> headers, String name, List<String> values)
            throws BackendException {
        List<String> sent = new ArrayList<>();
        for (String value : values) {
            if (value.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw new BackendException("net/http: invalid header field value for " + GoText.quoted(name));
            }
            // A connection sends each character as one byte.
            sent.add(new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
        }
        if (!sent.isEmpty()) {
            headers.put(name, sent);
        }
    }

    /** A key may contain characters that a header's name may not. */
    private static String escaped(String key) {
        return URLEncoder.encode(key.toLowerCase(Locale.ROOT), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }
}
