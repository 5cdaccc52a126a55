/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.kubeloop.transport.http.value.Redaction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of one kubeconfig file, or of several merged ones (upstream: {@code clientcmdapi.Config}). Immutable.
 *
 * <p>Paths are absolute, or relative to the working directory: the reader has resolved them against their file.
 *
 * @param currentContext the name of the context in use
 * @param clusters the clusters by name
 * @param users the users by name
 * @param contexts the contexts by name
 */
public record Kubeconfig(
        String currentContext, Map<String, Cluster> clusters, Map<String, User> users, Map<String, Context> contexts) {

    /** A configuration without entries. */
    public static final Kubeconfig EMPTY = new Kubeconfig("", Map.of(), Map.of(), Map.of());

    /** Copies the maps in their order. */
    public Kubeconfig {
        clusters = Collections.unmodifiableMap(new LinkedHashMap<>(clusters));
        users = Collections.unmodifiableMap(new LinkedHashMap<>(users));
        contexts = Collections.unmodifiableMap(new LinkedHashMap<>(contexts));
    }

    /**
     * An API server. {@link #toString()} shows no secret.
     *
     * @param origin the file that contains the entry; empty if it is not from a file
     * @param server the URL
     * @param tlsServerName see {@link TlsConfig#serverName()}
     * @param insecureSkipTlsVerify see {@link TlsConfig#insecure()}
     * @param certificateAuthority a file with certificates
     * @param certificateAuthorityData certificates as PEM text
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

        /** A cluster without settings. */
        public static final Cluster EMPTY = new Cluster("", "", "", false, "", "", "", false, "");

        /** Replaces null by the empty value. */
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
     * @param clientCertificate a file with a certificate chain
     * @param clientCertificateData a certificate chain as PEM text
     * @param clientKey a file with a private key
     * @param clientKeyData a private key as PEM text
     * @param token a bearer token
     * @param tokenFile a file with a bearer token
     * @param impersonation the identity to act as
     * @param username the user name for basic authentication
     * @param password the password for basic authentication
     * @param exec the program that returns credentials
     * @param authProvider a removed built-in provider
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

        /** A user without credentials. */
        public static final User EMPTY = new User("", "", "", "", "", "", Impersonation.NONE, "", "", null, null);

        /** Replaces null by the empty value. */
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
     * @param cluster the name of the cluster
     * @param user the name of the user
     * @param namespace the namespace to work in; empty means {@code default}
     */
    @RecordBuilder
    public record Context(String cluster, String user, String namespace) {

        /** A context without settings. */
        public static final Context EMPTY = new Context("", "", "");

        /** Replaces null by the empty value. */
        public Context {
            cluster = KubeconfigDefaults.orEmpty(cluster);
            user = KubeconfigDefaults.orEmpty(user);
            namespace = KubeconfigDefaults.orEmpty(namespace);
        }
    }
}
