/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The cipher suites and versions of TLS by the names of Kubernetes' flags. Holds no state. */
public final class CipherSuites {

    /** TLS 1.3 has no choice in Kubernetes' programs: its suites are always on. */
    private static final List<String> TLS13 =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    /** The names of Go's library without the prefix {@code TLS_}. */
    private static final Set<String> OTHERS = Set.of(
            "ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            "ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
            "ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
            "ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
            "ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "ECDHE_ECDSA_WITH_RC4_128_SHA",
            "ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
            "ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "ECDHE_RSA_WITH_AES_128_CBC_SHA256",
            "ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "ECDHE_RSA_WITH_AES_256_CBC_SHA",
            "ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "ECDHE_RSA_WITH_CHACHA20_POLY1305",
            "ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "ECDHE_RSA_WITH_RC4_128_SHA",
            "RSA_WITH_3DES_EDE_CBC_SHA",
            "RSA_WITH_AES_128_CBC_SHA",
            "RSA_WITH_AES_128_CBC_SHA256",
            "RSA_WITH_AES_128_GCM_SHA256",
            "RSA_WITH_AES_256_CBC_SHA",
            "RSA_WITH_AES_256_GCM_SHA384",
            "RSA_WITH_RC4_128_SHA");

    private CipherSuites() {}

    /**
     * Returns the suites that a server enables: the named ones that this JVM has, and those of TLS 1.3.
     *
     * @param supported the suites of this JVM
     * @throws IllegalArgumentException if a name is unknown, in the words of kube-controller-manager
     */
    public static String[] enabled(List<String> names, String[] supported) {
        List<String> enabled = new ArrayList<>(TLS13);
        for (String name : names) {
            boolean isKnown = TLS13.contains(name) || (name.startsWith("TLS_") && OTHERS.contains(name.substring(4)));
            if (!isKnown) {
                throw new IllegalArgumentException("Cipher suite " + name + " not supported or doesn't exist");
            }
            // Go has two names for these.
            enabled.add(name.endsWith("POLY1305") ? name + "_SHA256" : name);
        }
        enabled.retainAll(Arrays.asList(supported));
        return enabled.toArray(String[]::new);
    }

    /**
     * Returns the versions from the named one on; empty is the default, TLS 1.2. Older ones are those that the JVM
     * allows.
     *
     * @throws IllegalArgumentException if the name is unknown, in the words of kube-controller-manager
     */
    public static String[] versions(String oldest) {
        return switch (oldest) {
            case "", "VersionTLS12", "VersionTLS11", "VersionTLS10" -> new String[] {"TLSv1.3", "TLSv1.2"};
            case "VersionTLS13" -> new String[] {"TLSv1.3"};
            default -> throw new IllegalArgumentException("unknown tls version \"" + oldest + "\"");
        };
    }
}
