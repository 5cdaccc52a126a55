package io.kubeloop.transport.http;

import io.kubeloop.transport.http.kubeconfig.ConfigResolver;
import io.kubeloop.transport.http.kubeconfig.InClusterConfig;
import io.kubeloop.transport.http.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out how to reach the API server: files, flags, the environment of a pod (upstream: {@code clientcmd}).
 *
 * <p>Stateless and thread-safe; every call reads the files again.
 */
public final class Kubeconfigs {

    private static final Logger log = LoggerFactory.getLogger(Kubeconfigs.class);

    private Kubeconfigs() {}

    /**
     * Loads by the usual rules: the files of {@code KUBECONFIG}, else {@code ~/.kube/config}; if these say nothing and this
     * is a pod, the pod's service account.
     *
     * @throws KubeconfigException if nothing is configured, or what is configured cannot be used
     */
    public static ClientConfig load() {
        return load(ConfigOverrides.NONE);
    }

    /** Loads by the usual rules, with overrides; see {@link #load()}. */
    public static ClientConfig load(ConfigOverrides overrides) {
        Map<String, String> environment = System.getenv();
        // As upstream, what the user says beats what the system's list of users says.
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", ""));
        KubeConfigLoader files = KubeConfigLoader.ofEnvironment(environment, home);
        return resolve(files.load(), overrides, new InClusterConfig(environment));
    }

    /**
     * Loads one file, and nothing else.
     *
     * @throws KubeconfigException if it does not exist or cannot be used
     */
    public static ClientConfig load(Path file) {
        return load(file, ConfigOverrides.NONE);
    }

    /** Loads one file, with overrides; see {@link #load(Path)}. */
    public static ClientConfig load(Path file, ConfigOverrides overrides) {
        return new ConfigResolver(KubeConfigLoader.ofFile(file).load(), overrides).clientConfig();
    }

    /**
     * Loads what a controller's flags say: a file ({@code --kubeconfig}), with another server ({@code --master}) if given;
     * without both the pod's service account, and if this is no pod, the usual rules.
     *
     * @param masterUrl empty for none
     * @param kubeconfig empty for none
     * @throws KubeconfigException if nothing is configured, or what is configured cannot be used
     */
    public static ClientConfig fromFlags(String masterUrl, String kubeconfig) {
        ConfigOverrides overrides = masterUrl.isEmpty() ? ConfigOverrides.NONE : ConfigOverrides.ofServer(masterUrl);
        if (!kubeconfig.isEmpty()) {
            return load(Path.of(kubeconfig), overrides);
        }
        if (!masterUrl.isEmpty()) {
            return new ConfigResolver(KubeConfig.EMPTY, overrides).clientConfig();
        }
        InClusterConfig pod = new InClusterConfig(System.getenv());
        if (pod.isPossible()) {
            return pod.load();
        }
        log.warn("neither --kubeconfig nor --master was given, and this is no pod: using the default kubeconfig");
        return load(overrides);
    }

    /**
     * Loads the service account of the pod that this process runs in.
     *
     * @throws KubeconfigException if this is no pod, or it has no token
     */
    public static ClientConfig inCluster() {
        return new InClusterConfig(System.getenv()).load();
    }

    static ClientConfig resolve(KubeConfig files, ConfigOverrides overrides, InClusterConfig pod) {
        try {
            return new ConfigResolver(files, overrides).clientConfig();
        } catch (KubeconfigException e) {
            if (e.isEmpty() && pod.isPossible()) {
                return pod.load(overrides);
            }
            throw e;
        }
    }
}
