/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.PemTls;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How the server connects to the kubelets of nodes (upstream: {@code pkg/kubelet/client}). Immutable.
 */
public final class KubeletAccess {

    private static final int DEFAULT_PORT = 10250;

    /** The address types in upstream's order of preference. */
    public static final List<String> ADDRESS_TYPES =
            List.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP");

    /** The default: no client certificate, and as upstream without an authority, any certificate of the kubelet. */
    public static final KubeletAccess DEFAULT = of(null, null, "", ADDRESS_TYPES);

    private final SSLContext insecure;
    private final @Nullable SSLContext verifying;
    private final List<String> addressTypes;

    private KubeletAccess(SSLContext insecure, @Nullable SSLContext verifying, List<String> addressTypes) {
        this.insecure = insecure;
        this.verifying = verifying;
        this.addressTypes = List.copyOf(addressTypes);
    }

    /**
     * Reads the credentials of the server.
     *
     * @param authorities the authorities of kubelets, in PEM; null if their certificates are not verified
     * @param certificate the server's client certificate, in PEM; null for none
     * @param key the private key of the certificate, in PEM
     * @param addressTypes the types of node addresses, the preferred one first
     * @throws IllegalArgumentException if a file cannot be used; the message names the reason
     */
    public static KubeletAccess of(
            byte @Nullable [] authorities, byte @Nullable [] certificate, String key, List<String> addressTypes) {
        KeyManager[] keys = certificate == null ? new KeyManager[0] : PemTls.keys(certificate, key);
        return new KubeletAccess(
                PemTls.client(keys, PemTls.insecure()),
                authorities == null ? null : PemTls.client(keys, PemTls.trust(authorities)),
                addressTypes);
    }

    /**
     * Returns the address of a node's kubelet.
     *
     * @param skipVerification whether the client accepts any certificate of the kubelet
     * @throws StatusException if the node has no address of a preferred type
     */
    BackendConnection.Server kubelet(JsonObject node, boolean skipVerification) {
        String host = host(node);
        Long port = node.number("status", "daemonEndpoints", "kubeletEndpoint", "Port");
        SSLContext context = skipVerification ? null : verifying;
        return new BackendConnection.Server(
                host,
                port == null || port <= 0 || port > 65_535 ? DEFAULT_PORT : Math.toIntExact(port),
                new BackendConnection.Tls(context == null ? insecure : context, host, context != null));
    }

    /** Returns a client's side of TLS that accepts every certificate, for pods and services. */
    BackendConnection.Tls anyCertificate(String host) {
        return new BackendConnection.Tls(insecure, host, false);
    }

    private String host(JsonObject node) {
        for (String type : addressTypes) {
            for (JsonObject address :
                    node.array("status", "addresses").objects().toList()) {
                if (address.string("type").equals(type)) {
                    return address.string("address");
                }
            }
        }
        String known = String.join(
                " ",
                node.array("status", "addresses")
                        .objects()
                        .map(address -> "{" + address.string("type") + " " + address.string("address") + "}")
                        .toList());
        throw StatusException.unclassified("no preferred addresses found; known addresses: [" + known + "]");
    }
}
