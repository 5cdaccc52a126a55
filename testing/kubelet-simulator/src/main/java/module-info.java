/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A simulated scheduler and simulated kubelets: pods become running and ready, and no container runs.
 *
 * <p>Start at {@link io.kubeloop.kubelet.SimulatedKubelet}.
 */
module io.kubeloop.kubelet {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.runtime;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;

    exports io.kubeloop.kubelet;
}
