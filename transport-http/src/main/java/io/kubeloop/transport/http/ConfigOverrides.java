/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.transport.http.value.KubeconfigDefaults;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * Settings of a command line, which take precedence over the files, field by field (upstream: {@code
 * clientcmd.ConfigOverrides}). Immutable.
 *
 * @param currentContext the context to use instead of the file's current one
 * @param context parts of a context: another cluster, user or namespace
 * @param cluster parts of a cluster, such as another server
 * @param user parts of a user, such as a token
 * @param timeout the limit for a request: whole seconds, or a duration such as {@code 1m30s}; empty or 0 for none
 */
@RecordBuilder
public record ConfigOverrides(
        String currentContext,
        Kubeconfig.Context context,
        Kubeconfig.Cluster cluster,
        Kubeconfig.User user,
        String timeout) {

    /** No overrides. */
    public static final ConfigOverrides NONE =
            new ConfigOverrides("", Kubeconfig.Context.EMPTY, Kubeconfig.Cluster.EMPTY, Kubeconfig.User.EMPTY, "");

    /** Replaces null by the empty value. */
    public ConfigOverrides {
        currentContext = KubeconfigDefaults.orEmpty(currentContext);
        context = context == null ? Kubeconfig.Context.EMPTY : context;
        cluster = cluster == null ? Kubeconfig.Cluster.EMPTY : cluster;
        user = user == null ? Kubeconfig.User.EMPTY : user;
        timeout = KubeconfigDefaults.orEmpty(timeout);
    }

    /** Returns overrides that only replace the server, as {@code --master} does. */
    public static ConfigOverrides ofServer(String url) {
        return ConfigOverridesBuilder.builder(NONE)
                .cluster(KubeconfigClusterBuilder.builder(Kubeconfig.Cluster.EMPTY)
                        .server(url)
                        .build())
                .build();
    }
}
