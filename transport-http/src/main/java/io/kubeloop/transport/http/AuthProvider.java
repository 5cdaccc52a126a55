package io.kubeloop.transport.http;

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
        name = Absent.orEmpty(name);
        config = config == null ? Map.of() : Map.copyOf(config);
    }

    String replacement() {
        return switch (name) {
            case "gcp" -> "gke-gcloud-auth-plugin";
            case "azure" -> "kubelogin (Azure)";
            case "oidc" -> "kubectl-oidc_login (kubelogin)";
            default -> "a program that speaks client.authentication.k8s.io/v1";
        };
    }

    @Override
    public String toString() {
        return "AuthProvider[name=" + name + "]";
    }
}
