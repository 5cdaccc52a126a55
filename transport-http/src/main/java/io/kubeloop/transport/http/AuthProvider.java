package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.Map;

/**
 * A credential provider that used to be built into clients. None is supported; exec plugins replace them.
 *
 * @param name such as {@code oidc}
 * @param config its settings, which may hold secrets
 */
public record AuthProvider(String name, Map<String, String> config) {

    /** Copies the settings. */
    public AuthProvider {
        name = KubeconfigDefaults.orEmpty(name);
        config = config == null ? Map.of() : Map.copyOf(config);
    }

    @Override
    public String toString() {
        return "AuthProvider[name=" + name + "]";
    }
}
