/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.kubeconfig;

import io.kubeloop.api.value.GoDuration;
import io.kubeloop.transport.http.AuthConfig;
import io.kubeloop.transport.http.AuthConfigBuilder;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.ClientConfigBuilder;
import io.kubeloop.transport.http.ConfigOverrides;
import io.kubeloop.transport.http.Impersonation;
import io.kubeloop.transport.http.Kubeconfig;
import io.kubeloop.transport.http.KubeconfigException;
import io.kubeloop.transport.http.Timeouts;
import io.kubeloop.transport.http.TimeoutsBuilder;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.route.ServerAddress;
import io.kubeloop.transport.http.route.ServerUrl;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the settings of a client from files and overrides: chooses context, cluster and user, and merges the overrides
 * (upstream: {@code clientcmd.DirectClientConfig}). Immutable.
 */
public final class ConfigResolver {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigResolver.class);

    private static final Pattern SECONDS = Pattern.compile("\\+?[0-9]+|-0+");

    private final Kubeconfig config;
    private final ConfigOverrides overrides;
    private final Supplier<String> withoutContext;

    /** Makes a resolver of a configuration that has no files. */
    public ConfigResolver(Kubeconfig config, ConfigOverrides overrides) {
        this(config, overrides, () -> "there is no current context");
    }

    /**
     * Makes a resolver.
     *
     * @param withoutContext returns why the configuration has no current context, for the message of an exception
     */
    public ConfigResolver(Kubeconfig config, ConfigOverrides overrides, Supplier<String> withoutContext) {
        this.config = config;
        this.overrides = overrides;
        this.withoutContext = withoutContext;
    }

    /**
     * A namespace.
     *
     * @param name the namespace
     * @param overridden whether it comes from an override
     */
    public record Namespace(String name, boolean overridden) {}

    /** Returns the namespace to work in. */
    public Namespace namespace() {
        String override = overrides.context().namespace();
        if (!override.isEmpty()) {
            return new Namespace(override, true);
        }
        confirmUsable();
        return new Namespace(KubeconfigDefaults.either(context().namespace(), "default"), false);
    }

    /**
     * Returns the settings.
     *
     * @throws KubeconfigException if the chosen context is no usable configuration; the message lists all reasons
     */
    public ClientConfig clientConfig() {
        requireChosen();
        confirmUsable();
        Kubeconfig.Cluster cluster = cluster();
        String server = server(cluster);
        ClientConfigBuilder builder = ClientConfigBuilder.builder()
                .server(server)
                .proxyUrl(cluster.proxyUrl())
                .disableCompression(cluster.disableCompression())
                .namespace(namespace().name())
                .timeouts(timeouts());
        Kubeconfig.User user = user();
        if (!userName().isEmpty() && !config.users().containsKey(userName()) && user.equals(Kubeconfig.User.EMPTY)) {
            // Upstream continues silently, and so does this; the 401 of the server would not name the cause.
            LOG.warn(
                    "the context \"{}\" names the user \"{}\", which the kubeconfig does not have, only {}: requests "
                            + "are anonymous",
                    contextName(),
                    userName(),
                    config.users().keySet());
        }
        if (ServerUrl.isHttps(server)) {
            builder.tls(tls(cluster, user)).auth(auth(cluster, user));
        } else {
            // Credentials must not be sent in plain text, nor to an address that is no URL.
            warnOfUnsent(user);
            builder.auth(AuthConfigBuilder.builder()
                    .impersonation(user.impersonation())
                    .build());
        }
        return builder.build();
    }

    /** Upstream is silent, and the answers of the server do not name the cause. */
    private void warnOfUnsent(Kubeconfig.User user) {
        List<String> unsent = new ArrayList<>();
        addIf(!(user.clientCertificate() + user.clientCertificateData()).isEmpty(), "client certificate", unsent);
        addIf(!(user.token() + user.tokenFile()).isEmpty(), "token", unsent);
        addIf(!(user.username() + user.password()).isEmpty(), "user name and password", unsent);
        addIf(user.exec() != null, "exec plugin", unsent);
        addIf(user.authProvider() != null, "auth provider", unsent);
        if (!unsent.isEmpty()) {
            LOG.warn(
                    "the credentials of the user \"{}\" are not sent to the cluster \"{}\", whose server is not "
                            + "https: {}",
                    userName(),
                    clusterName(),
                    String.join(", ", unsent));
        }
    }

    private static void addIf(boolean present, String name, List<String> names) {
        if (present) {
            names.add(name);
        }
    }

    private String server(Kubeconfig.Cluster cluster) {
        String server = ServerUrl.normalized(cluster.server());
        try {
            ServerAddress.parse(server, false);
            return server;
        } catch (IllegalArgumentException e) {
            String where = overrides.cluster().server().isEmpty()
                    ? "cluster \"" + clusterName() + "\" of "
                            + KubeconfigDefaults.either(cluster.origin(), "the kubeconfig")
                    : "the server of the overrides";
            throw new KubeconfigException(where + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns the duration of a timeout; a bare number means seconds, and an empty text means zero. */
    public static Duration timeout(String text) {
        if (text.isEmpty()) {
            return Duration.ZERO;
        }
        try {
            if (SECONDS.matcher(text).matches()) {
                return GoDuration.parse(text + "s");
            }
            return GoDuration.parse(text);
        } catch (IllegalArgumentException e) {
            throw new KubeconfigException("the timeout must be whole seconds or a duration: " + IoErrors.reason(e), e);
        }
    }

    private Timeouts timeouts() {
        Duration limit = timeout(overrides.timeout());
        return limit.isZero() || limit.isNegative()
                ? Timeouts.DEFAULT
                : TimeoutsBuilder.builder(Timeouts.DEFAULT)
                        .read(limit)
                        .call(limit)
                        .build();
    }

    private static TlsConfig tls(Kubeconfig.Cluster cluster, Kubeconfig.User user) {
        boolean certificate = !user.clientCertificate().isEmpty()
                || !user.clientCertificateData().isEmpty();
        return new TlsConfig(
                cluster.certificateAuthority(),
                cluster.certificateAuthorityData(),
                user.clientCertificate(),
                user.clientCertificateData(),
                certificate ? user.clientKey() : "",
                certificate ? user.clientKeyData() : "",
                cluster.tlsServerName(),
                cluster.insecureSkipTlsVerify());
    }

    private static AuthConfig auth(Kubeconfig.Cluster cluster, Kubeconfig.User user) {
        String token = user.token();
        if (token.isEmpty() && !user.tokenFile().isEmpty()) {
            try {
                token = Files.readString(Path.of(user.tokenFile()), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new KubeconfigException(
                        "cannot read token file " + user.tokenFile() + ": " + IoErrors.reason(e), e);
            }
        }
        return new AuthConfig(
                token,
                user.tokenFile(),
                user.username(),
                user.password(),
                user.impersonation(),
                user.exec() == null ? null : user.exec().withClusterConfig(cluster.execConfig()),
                user.authProvider());
    }

    /**
     * The entries that an override names must exist. Entries that a context names need not exist if they are
     * overridden.
     */
    private void requireChosen() {
        requireIn(config.contexts().keySet(), "context", overrides.currentContext());
        requireIn(config.users().keySet(), "user", overrides.context().user());
        requireIn(config.clusters().keySet(), "cluster", overrides.context().cluster());
    }

    private static void requireIn(java.util.Set<String> names, String what, String name) {
        if (!name.isEmpty() && !names.contains(name)) {
            throw new KubeconfigException(
                    "there is no " + what + " \"" + name + "\" in the kubeconfig, only " + List.copyOf(names), null);
        }
    }

    private void confirmUsable() {
        ConfigValidator validator = new ConfigValidator();
        String contextName = contextName();
        validator.check(
                contextName.isEmpty() || config.contexts().containsKey(contextName),
                "there is no context \"" + contextName + "\"");
        validator.user(userName(), user());
        Kubeconfig.Cluster cluster = cluster();
        boolean nothing = cluster.equals(Kubeconfig.Cluster.EMPTY);
        if (nothing && validator.problems().isEmpty()) {
            throw KubeconfigException.notConfigured("no API server is configured: "
                    + (clusterName().isEmpty()
                            ? withoutContext.get()
                            : "the context \"" + contextName + "\" names the cluster \"" + clusterName()
                                    + "\", which the kubeconfig does not have, only "
                                    + config.clusters().keySet()));
        }
        if (!nothing) {
            validator.cluster(clusterName(), cluster);
        } else {
            validator.check(false, "no cluster is chosen");
        }
        if (!validator.problems().isEmpty()) {
            throw new KubeconfigException(
                    "the kubeconfig cannot be used: " + String.join("; ", validator.problems()), null);
        }
    }

    private String contextName() {
        return KubeconfigDefaults.either(overrides.currentContext(), config.currentContext());
    }

    private Kubeconfig.Context context() {
        return OverrideMerger.context(
                config.contexts().getOrDefault(contextName(), Kubeconfig.Context.EMPTY), overrides.context());
    }

    private String userName() {
        return context().user();
    }

    private Kubeconfig.User user() {
        return OverrideMerger.user(config.users().getOrDefault(userName(), Kubeconfig.User.EMPTY), overrides.user());
    }

    private String clusterName() {
        return context().cluster();
    }

    /** A cluster that an override names, but no file defines, is empty: other overrides do not apply to it. */
    private Kubeconfig.Cluster cluster() {
        String chosen = overrides.context().cluster();
        if (!chosen.isEmpty() && !config.clusters().containsKey(chosen)) {
            return Kubeconfig.Cluster.EMPTY;
        }
        return OverrideMerger.cluster(
                config.clusters().getOrDefault(clusterName(), Kubeconfig.Cluster.EMPTY), overrides.cluster());
    }

    /**
     * Merges overrides into the entries of a file, field by field, with the exceptions that upstream has. Stateless.
     */
    private static final class OverrideMerger {

        private OverrideMerger() {}

        static Kubeconfig.Context context(Kubeconfig.Context base, Kubeconfig.Context over) {
            return new Kubeconfig.Context(
                    KubeconfigDefaults.either(over.cluster(), base.cluster()),
                    KubeconfigDefaults.either(over.user(), base.user()),
                    KubeconfigDefaults.either(over.namespace(), base.namespace()));
        }

        /**
         * Merges a cluster. An override of the server's verification replaces all verification settings, so no
         * remaining setting contradicts it. If the server URL is overridden, the file's tls-server-name is dropped.
         */
        static Kubeconfig.Cluster cluster(Kubeconfig.Cluster base, Kubeconfig.Cluster over) {
            boolean verification = over.insecureSkipTlsVerify()
                    || !over.certificateAuthority().isEmpty()
                    || !over.certificateAuthorityData().isEmpty();
            Kubeconfig.Cluster trust = verification ? over : base;
            boolean name = !over.tlsServerName().isEmpty() || !over.server().isEmpty();
            return new Kubeconfig.Cluster(
                    base.origin(),
                    KubeconfigDefaults.either(over.server(), base.server()),
                    name ? over.tlsServerName() : base.tlsServerName(),
                    trust.insecureSkipTlsVerify(),
                    trust.certificateAuthority(),
                    trust.certificateAuthorityData(),
                    KubeconfigDefaults.either(over.proxyUrl(), base.proxyUrl()),
                    over.disableCompression() || base.disableCompression(),
                    KubeconfigDefaults.either(over.execConfig(), base.execConfig()));
        }

        /**
         * Merges a user. An override of a certificate replaces both its forms, the file and the data. The same holds
         * for the key.
         */
        static Kubeconfig.User user(Kubeconfig.User base, Kubeconfig.User over) {
            boolean certificate = !over.clientCertificate().isEmpty()
                    || !over.clientCertificateData().isEmpty();
            boolean key = !over.clientKey().isEmpty() || !over.clientKeyData().isEmpty();
            Impersonation as = over.impersonation();
            Impersonation baseAs = base.impersonation();
            return new Kubeconfig.User(
                    certificate ? over.clientCertificate() : base.clientCertificate(),
                    certificate ? over.clientCertificateData() : base.clientCertificateData(),
                    key ? over.clientKey() : base.clientKey(),
                    key ? over.clientKeyData() : base.clientKeyData(),
                    KubeconfigDefaults.either(over.token(), base.token()),
                    KubeconfigDefaults.either(over.tokenFile(), base.tokenFile()),
                    new Impersonation(
                            KubeconfigDefaults.either(as.user(), baseAs.user()),
                            KubeconfigDefaults.either(as.uid(), baseAs.uid()),
                            as.groups().isEmpty() ? baseAs.groups() : as.groups(),
                            union(baseAs.extra(), as.extra())),
                    KubeconfigDefaults.either(over.username(), base.username()),
                    KubeconfigDefaults.either(over.password(), base.password()),
                    over.exec() == null ? base.exec() : over.exec(),
                    over.authProvider() == null ? base.authProvider() : over.authProvider());
        }
        /** Merges maps key by key. Lists, in contrast, are replaced as a whole. */
        private static Map<String, List<String>> union(Map<String, List<String>> base, Map<String, List<String>> over) {
            Map<String, List<String>> all = new HashMap<>(base);
            all.putAll(over);
            return all;
        }
    }
}
