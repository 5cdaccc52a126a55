/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;

/**
 * The order of the offered cipher suites: that of the JVM, which {@code -Djdk.tls.client.cipherSuites} sets. OkHttp has
 * an order of its own. Stateless.
 *
 * <p>The order matters where a JVM runs without its second compiler, which compiles AES-GCM to processor instructions.
 * There, ChaCha20-Poly1305 costs a third. Go servers choose the first suite of the client.
 */
final class CipherOrder {

    private CipherOrder() {}

    /**
     * Returns the specification with the same suites in the preferred order.
     *
     * @param preferred names of suites, best first; suites that the specification does not have are ignored
     */
    static ConnectionSpec of(ConnectionSpec spec, List<String> preferred) {
        List<CipherSuite> allowed = spec.cipherSuites();
        if (allowed == null) {
            return spec;
        }
        Set<CipherSuite> ordered = new LinkedHashSet<>();
        for (String name : preferred) {
            CipherSuite suite = CipherSuite.forJavaName(name);
            if (allowed.contains(suite)) {
                ordered.add(suite);
            }
        }
        ordered.addAll(allowed);
        return new ConnectionSpec.Builder(spec)
                .cipherSuites(new ArrayList<>(ordered).toArray(CipherSuite[]::new))
                .build();
    }
}
