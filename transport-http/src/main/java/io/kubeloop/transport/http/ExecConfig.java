/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.util.List;

/**
 * A program that returns credentials (upstream: {@code clientcmdapi.ExecConfig}). Immutable.
 *
 * @param apiVersion the version of its protocol: {@code client.authentication.k8s.io/v1} or {@code v1beta1}
 * @param command the program: a path, or a name to find on the search path
 * @param args the arguments
 * @param env variables added to the environment of this process, in order
 * @param installHint a hint for users who have not installed the program
 * @param provideClusterInfo whether the program receives the description of its cluster
 * @param interactiveMode {@code Never}, {@code IfAvailable} or {@code Always}; empty means {@code IfAvailable} in
 *     v1beta1
 * @param clusterConfig the settings of the cluster for programs like this one, as JSON; empty for none. They are part
 *     of the description of the cluster
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

    /** Makes a configuration without {@code clusterConfig}. */
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

    /** Copies the lists. Replaces null by the empty value. */
    public ExecConfig {
        apiVersion = KubeconfigDefaults.orEmpty(apiVersion);
        command = KubeconfigDefaults.orEmpty(command);
        args = args == null ? List.of() : List.copyOf(args);
        env = env == null ? List.of() : List.copyOf(env);
        installHint = KubeconfigDefaults.orEmpty(installHint);
        interactiveMode = KubeconfigDefaults.orEmpty(interactiveMode);
        clusterConfig = KubeconfigDefaults.orEmpty(clusterConfig);
    }

    /** Returns this configuration with other {@code clusterConfig}. */
    public ExecConfig withClusterConfig(String json) {
        return new ExecConfig(apiVersion, command, args, env, installHint, provideClusterInfo, interactiveMode, json);
    }

    /** Shows the command and the names of variables. Arguments and values may be secret. */
    @Override
    public String toString() {
        return "ExecConfig[apiVersion=" + apiVersion + ", command=" + command + ", env="
                + env.stream().map(EnvVar::name).toList() + "]";
    }

    /**
     * One environment variable.
     *
     * @param name the name
     * @param value the value
     */
    public record EnvVar(String name, String value) {

        /** Replaces null by the empty value. */
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
