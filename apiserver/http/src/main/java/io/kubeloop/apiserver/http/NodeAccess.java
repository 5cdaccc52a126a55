/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import org.jspecify.annotations.Nullable;

/**
 * What answers for the containers of nodes. Immutable.
 *
 * @param kubelets how the server connects to kubelets
 * @param host stands for the containers of some nodes in this process; null, the default, for none
 */
public record NodeAccess(KubeletAccess kubelets, @Nullable ContainerHost host) {

    /** The defaults. */
    public static final NodeAccess DEFAULT = new NodeAccess(KubeletAccess.DEFAULT, null);

    /** Returns the same host with another access to kubelets. */
    public NodeAccess withKubelets(KubeletAccess newKubelets) {
        return new NodeAccess(newKubelets, host);
    }

    /** Returns the same access with another host. */
    public NodeAccess withHost(@Nullable ContainerHost newHost) {
        return new NodeAccess(kubelets, newHost);
    }
}
