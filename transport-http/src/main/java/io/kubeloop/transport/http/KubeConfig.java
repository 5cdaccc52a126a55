package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One kubeconfig file, or several merged (upstream: {@code clientcmdapi.Config}). Paths are absolute or relative to the
 * working directory: the reader has resolved them against their file.
 *
 * @param currentContext name of the context to use
 * @param clusters by name
 * @param users by name
 * @param contexts by name
 */
public record KubeConfig(
        String currentContext, Map<String, Cluster> clusters, Map<String, User> users, Map<String, Context> contexts) {

    /** Says nothing. */
    public static final KubeConfig EMPTY = new KubeConfig("", Map.of(), Map.of(), Map.of());

    /** Copies, keeping the order of entries. */
    public KubeConfig {
        clusters = Collections.unmodifiableMap(new LinkedHashMap<>(clusters));
        users = Collections.unmodifiableMap(new LinkedHashMap<>(users));
        contexts = Collections.unmodifiableMap(new LinkedHashMap<>(contexts));
    }

    /**
     * An API server. {@link #toString()} shows no secret.
     *
     * @param origin the file that it stands in; empty for one that is not from a file
     * @param server its URL
     * @param tlsServerName see {@link TlsConfig#serverName()}
     * @param insecureSkipTlsVerify see {@link TlsConfig#insecure()}
     * @param certificateAuthority file
     * @param certificateAuthorityData PEM text
     * @param proxyUrl see {@link ClientConfig#proxyUrl()}
     * @param disableCompression see {@link ClientConfig#disableCompression()}
     * @param execConfig see {@link ExecConfig#clusterConfig()}
     */
    @RecordBuilder
    public record Cluster(
            String origin,
            String server,
            String tlsServerName,
            boolean insecureSkipTlsVerify,
            String certificateAuthority,
            String certificateAuthorityData,
            String proxyUrl,
            boolean disableCompression,
            String execConfig) {

        /** Says nothing. */
        public static final Cluster EMPTY = new Cluster("", "", "", false, "", "", "", false, "");

        /** Fills in what is absent. */
        public Cluster {
            origin = KubeconfigDefaults.orEmpty(origin);
            server = KubeconfigDefaults.orEmpty(server);
            tlsServerName = KubeconfigDefaults.orEmpty(tlsServerName);
            certificateAuthority = KubeconfigDefaults.orEmpty(certificateAuthority);
            certificateAuthorityData = KubeconfigDefaults.orEmpty(certificateAuthorityData);
            proxyUrl = KubeconfigDefaults.orEmpty(proxyUrl);
            execConfig = KubeconfigDefaults.orEmpty(execConfig);
        }

        @Override
        public String toString() {
            return "Cluster[origin=" + origin + ", server=" + Redaction.withoutSecrets(server) + ", tlsServerName="
                    + tlsServerName + ", insecureSkipTlsVerify=" + insecureSkipTlsVerify + ", certificateAuthority="
                    + certificateAuthority + ", proxyUrl=" + Redaction.withoutSecrets(proxyUrl)
                    + ", disableCompression="
                    + disableCompression + ", execConfig=" + Redaction.masked(execConfig) + "]";
        }
    }

    /**
     * A user. {@link #toString()} shows no secret.
     *
     * @param clientCertificate file
     * @param clientCertificateData PEM text
     * @param clientKey file
     * @param clientKeyData PEM text
     * @param token bearer token
     * @param tokenFile file with a bearer token
     * @param impersonation whom to act as
     * @param username for basic authentication
     * @param password for basic authentication
     * @param exec a program that yields credentials
     * @param authProvider a built-in provider of old
     */
    @RecordBuilder
    public record User(
            String clientCertificate,
            String clientCertificateData,
            String clientKey,
            String clientKeyData,
            String token,
            String tokenFile,
            Impersonation impersonation,
            String username,
            String password,
            @Nullable ExecConfig exec,
            @Nullable AuthProvider authProvider) {

        /** Anonymous. */
        public static final User EMPTY = new User("", "", "", "", "", "", Impersonation.NONE, "", "", null, null);

        /** Fills in what is absent. */
        public User {
            clientCertificate = KubeconfigDefaults.orEmpty(clientCertificate);
            clientCertificateData = KubeconfigDefaults.orEmpty(clientCertificateData);
            clientKey = KubeconfigDefaults.orEmpty(clientKey);
            clientKeyData = KubeconfigDefaults.orEmpty(clientKeyData);
            token = KubeconfigDefaults.orEmpty(token);
            tokenFile = KubeconfigDefaults.orEmpty(tokenFile);
            impersonation = impersonation == null ? Impersonation.NONE : impersonation;
            username = KubeconfigDefaults.orEmpty(username);
            password = KubeconfigDefaults.orEmpty(password);
        }

        @Override
        public String toString() {
            return "User[clientCertificate=" + clientCertificate + ", clientKey=" + clientKey + ", clientKeyData="
                    + Redaction.masked(clientKeyData) + ", token=" + Redaction.masked(token) + ", tokenFile="
                    + tokenFile
                    + ", impersonation=" + impersonation + ", username=" + username + ", password="
                    + Redaction.masked(password) + ", exec=" + exec + ", authProvider=" + authProvider + "]";
        }
    }

    /**
     * A user on a cluster.
     *
     * @param cluster name of the cluster
     * @param user name of the user
     * @param namespace the namespace to work in; empty means {@code default}
     */
    @RecordBuilder
    public record Context(String cluster, String user, String namespace) {

        /** Says nothing. */
        public static final Context EMPTY = new Context("", "", "");

        /** Fills in what is absent. */
        public Context {
            cluster = KubeconfigDefaults.orEmpty(cluster);
            user = KubeconfigDefaults.orEmpty(user);
            namespace = KubeconfigDefaults.orEmpty(namespace);
        }
    }
}
