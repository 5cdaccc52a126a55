package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.List;

/**
 * A program that yields credentials when run (upstream: {@code clientcmdapi.ExecConfig}).
 *
 * @param apiVersion the version it speaks: {@code client.authentication.k8s.io/v1} or {@code v1beta1}
 * @param command the program: a path, or a name to look up on the search path
 * @param args its arguments
 * @param env variables added to this process's own, in order
 * @param installHint what to tell a user who does not have it
 * @param provideClusterInfo whether it is told which cluster it works for
 * @param interactiveMode {@code Never}, {@code IfAvailable} or {@code Always}; empty means {@code IfAvailable} in v1beta1
 * @param clusterConfig what the cluster's entry says to programs like this one, as JSON; empty for nothing. Handed over with
 *     the rest about the cluster
 */
public record ExecConfig(
        String apiVersion,
        String command,
        List<String> args,
        List<EnvVar> env,
        String installHint,
        boolean provideClusterInfo,
        String interactiveMode,
        String clusterConfig) {

    /** Makes a configuration without settings of the cluster's. */
    public ExecConfig(
            String apiVersion,
            String command,
            List<String> args,
            List<EnvVar> env,
            String installHint,
            boolean provideClusterInfo,
            String interactiveMode) {
        this(apiVersion, command, args, env, installHint, provideClusterInfo, interactiveMode, "");
    }

    /** Copies; fills in what is absent. */
    public ExecConfig {
        apiVersion = KubeconfigDefaults.orEmpty(apiVersion);
        command = KubeconfigDefaults.orEmpty(command);
        args = args == null ? List.of() : List.copyOf(args);
        env = env == null ? List.of() : List.copyOf(env);
        installHint = KubeconfigDefaults.orEmpty(installHint);
        interactiveMode = KubeconfigDefaults.orEmpty(interactiveMode);
        clusterConfig = KubeconfigDefaults.orEmpty(clusterConfig);
    }

    public ExecConfig withClusterConfig(String json) {
        return new ExecConfig(apiVersion, command, args, env, installHint, provideClusterInfo, interactiveMode, json);
    }

    /** Shows the command and the names of variables; arguments and values may be secret. */
    @Override
    public String toString() {
        return "ExecConfig[apiVersion=" + apiVersion + ", command=" + command + ", env="
                + env.stream().map(EnvVar::name).toList() + "]";
    }

    /**
     * One environment variable.
     *
     * @param name its name
     * @param value its value
     */
    public record EnvVar(String name, String value) {

        /** Fills in what is absent. */
        public EnvVar {
            name = KubeconfigDefaults.orEmpty(name);
            value = KubeconfigDefaults.orEmpty(value);
        }

        @Override
        public String toString() {
            return name + "=***";
        }
    }
}
