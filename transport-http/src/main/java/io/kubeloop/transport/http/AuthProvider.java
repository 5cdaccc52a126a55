/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.Map;

/**
 * A credential provider that was built into older clients. None is supported; an exec plugin replaces it.
 *
 * @param name the name, such as {@code oidc}
 * @param config its settings, which may contain secrets
 */
public record AuthProvider(String name, Map<String, String> config) {

    /** Copies the settings. Null becomes empty. */
    public AuthProvider {
        name = KubeconfigDefaults.orEmpty(name);
        config = config == null ? Map.of() : Map.copyOf(config);
    }

    @Override
    public String toString() {
        return "AuthProvider[name=" + name + "]";
    }
}
