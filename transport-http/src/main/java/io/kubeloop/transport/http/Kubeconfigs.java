/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.kubeconfig.ConfigResolver;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import io.kubeloop.transport.http.kubeconfig.KubeconfigLoader;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the configuration of a client: from kubeconfig files, flags, or the service account of a pod (upstream:
 * {@code client-go/tools/clientcmd}).
 *
 * <p>Stateless and thread-safe. Every call reads the files again and blocks while it does so; an interrupt has no
 * effect. {@link KubeClients} makes a client from the result.
 */
public final class Kubeconfigs {

    private static final Logger LOG = LoggerFactory.getLogger(Kubeconfigs.class);

    private Kubeconfigs() {}

    /**
     * Loads the default configuration: the files of the variable {@code KUBECONFIG}, else {@code ~/.kube/config}. If
     * these configure nothing and this process runs in a pod, loads the pod's service account.
     *
     * @throws KubeconfigException if nothing is configured, or the configuration cannot be used
     */
    public static ClientConfig load() {
        return load(ConfigOverrides.NONE);
    }

    /** Loads the default configuration as {@link #load()} does, with overrides. */
    public static ClientConfig load(ConfigOverrides overrides) {
        Map<String, String> environment = System.getenv();
        return load(environment, overrides, new InClusterConfig(environment));
    }

    static ClientConfig load(Map<String, String> environment, ConfigOverrides overrides, InClusterConfig pod) {
        // As upstream, HOME takes precedence over the home directory in the system's list of users.
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", ""));
        return resolve(KubeconfigLoader.ofEnvironment(environment, home), overrides, pod);
    }

    /**
     * Loads one file and nothing else.
     *
     * @throws KubeconfigException if the file does not exist or cannot be used
     */
    public static ClientConfig load(Path file) {
        return load(file, ConfigOverrides.NONE);
    }

    /** Loads one file as {@link #load(Path)} does, with overrides. */
    public static ClientConfig load(Path file, ConfigOverrides overrides) {
        KubeconfigLoader loader = KubeconfigLoader.ofFile(file);
        return new ConfigResolver(loader.load(), overrides, loader::withoutContext).clientConfig();
    }

    /**
     * Loads the configuration that a controller's flags {@code --kubeconfig} and {@code --master} name.
     *
     * <p>With {@code --kubeconfig}, loads that file; {@code --master} replaces its server. With {@code --master} alone,
     * the result has only a server. Without both, loads the pod's service account; outside of a pod, the default
     * configuration.
     *
     * @param masterUrl the value of {@code --master}; empty for none
     * @param kubeconfig the value of {@code --kubeconfig}; empty for none
     * @throws KubeconfigException if nothing is configured, or the configuration cannot be used
     */
    public static ClientConfig fromFlags(String masterUrl, String kubeconfig) {
        ConfigOverrides overrides = masterUrl.isEmpty() ? ConfigOverrides.NONE : ConfigOverrides.ofServer(masterUrl);
        if (!kubeconfig.isEmpty()) {
            return load(Path.of(kubeconfig), overrides);
        }
        if (!masterUrl.isEmpty()) {
            return new ConfigResolver(Kubeconfig.EMPTY, overrides).clientConfig();
        }
        InClusterConfig pod = new InClusterConfig(System.getenv());
        if (pod.isPossible()) {
            return pod.load();
        }
        LOG.warn("neither a kubeconfig nor a server was given, and this is no pod: using the default kubeconfig");
        return load(overrides);
    }

    /**
     * Loads the service account of the pod that this process runs in.
     *
     * @throws KubeconfigException if this process does not run in a pod, or the pod has no token
     */
    public static ClientConfig inCluster() {
        return new InClusterConfig(System.getenv()).load();
    }

    /** Returns the settings of the files, or those of the pod if the files configure nothing. */
    static ClientConfig resolve(KubeconfigLoader files, ConfigOverrides overrides, InClusterConfig pod) {
        try {
            return new ConfigResolver(files.load(), overrides, files::withoutContext).clientConfig();
        } catch (KubeconfigException e) {
            if (e.isEmpty() && pod.isPossible()) {
                return pod.load(overrides);
            }
            throw e;
        }
    }
}
