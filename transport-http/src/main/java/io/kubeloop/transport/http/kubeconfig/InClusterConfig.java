/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.transport.http.AuthConfigBuilder;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ClientConfigBuilder;
import io.kubeloop.transport.http.ConfigOverrides;
import io.kubeloop.transport.http.KubeconfigException;
import io.kubeloop.transport.http.TlsConfigBuilder;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.route.IpAddresses;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a pod: the server's address from the environment, the token and the authority from files
 * (upstream: {@code rest.InClusterConfig}). Immutable.
 */
public final class InClusterConfig {

    private static final Logger LOG = LoggerFactory.getLogger(InClusterConfig.class);

    private final Map<String, String> environment;
    private final Path directory;

    public InClusterConfig(Map<String, String> environment) {
        this(environment, Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    public InClusterConfig(Map<String, String> environment, Path directory) {
        this.environment = environment;
        this.directory = directory;
    }

    /** Returns whether this process seems to run in a pod. */
    public boolean isPossible() {
        return !host().isEmpty() && !port().isEmpty() && Files.isRegularFile(token());
    }

    /**
     * Returns the settings with overrides. As upstream, only these can be overridden: server, token, token file and
     * authority file.
     *
     * @throws KubeconfigException if this process does not run in a pod with a service account
     */
    public ClientConfig load(ConfigOverrides overrides) {
        ClientConfig pod = load();
        String token = overrides.user().token();
        String tokenFile = overrides.user().tokenFile();
        boolean otherToken = !token.isEmpty() || !tokenFile.isEmpty();
        return ClientConfigBuilder.builder(pod)
                .server(KubeconfigDefaults.either(overrides.cluster().server(), pod.server()))
                .tls(TlsConfigBuilder.builder(pod.tls())
                        .caFile(KubeconfigDefaults.either(
                                overrides.cluster().certificateAuthority(),
                                pod.tls().caFile()))
                        .build())
                .auth(
                        otherToken
                                ? AuthConfigBuilder.builder(pod.auth())
                                        .token(token)
                                        .tokenFile(tokenFile)
                                        .build()
                                : pod.auth())
                .namespace(KubeconfigDefaults.either(overrides.context().namespace(), pod.namespace()))
                .build();
    }

    /**
     * Returns the settings.
     *
     * @throws KubeconfigException if this process does not run in a pod with a service account
     */
    public ClientConfig load() {
        if (host().isEmpty() || port().isEmpty()) {
            throw new KubeconfigException(
                    "not running in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set", null);
        }
        if (!Files.isReadable(token())) {
            throw new KubeconfigException("cannot read the service account's token " + token(), null);
        }
        Path ca = directory.resolve("ca.crt");
        if (!Files.isReadable(ca)) {
            LOG.warn("cannot read {}: the API server is verified by the authorities that the JVM trusts", ca);
        }
        return ClientConfigBuilder.builder()
                .server("https://" + IpAddresses.bracketed(host()) + ":" + port())
                .tls(TlsConfigBuilder.builder()
                        .caFile(Files.isReadable(ca) ? ca.toString() : "")
                        .build())
                .auth(AuthConfigBuilder.builder().tokenFile(token().toString()).build())
                .namespace(namespace())
                .build();
    }

    private String namespace() {
        String fromPod = KubeconfigDefaults.orEmpty(environment.get("POD_NAMESPACE"));
        if (!fromPod.isEmpty()) {
            return fromPod;
        }
        Path file = directory.resolve("namespace");
        try {
            return Files.isReadable(file)
                    ? Files.readString(file, StandardCharsets.UTF_8).strip()
                    : "";
        } catch (IOException e) {
            LOG.warn("cannot read {}: {}; the namespace is \"default\"", file, IoErrors.reason(e));
            return "";
        }
    }

    private Path token() {
        return directory.resolve("token");
    }

    private String host() {
        return KubeconfigDefaults.orEmpty(environment.get("KUBERNETES_SERVICE_HOST"));
    }

    private String port() {
        return KubeconfigDefaults.orEmpty(environment.get("KUBERNETES_SERVICE_PORT"));
    }
}
