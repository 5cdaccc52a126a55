package io.kubeloop.transport.http.tls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;

/**
 * The order in which cipher suites are offered: the JVM's, which {@code -Djdk.tls.client.cipherSuites} sets. OkHttp would offer
 * them in an order of its own.
 *
 * <p>It matters where a JVM runs without its second compiler, which replaces AES-GCM by the processor's own instructions:
 * there ChaCha20-Poly1305 costs a third. Go servers take what a client puts first.
 */
final class CipherOrder {

    private CipherOrder() {}

    /**
     * Returns the specification with the same suites, those that are preferred first.
     *
     * @param preferred names of suites, best first; those that the specification does not have are left out
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
