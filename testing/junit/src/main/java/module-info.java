/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A JUnit Jupiter extension that gives each test a control plane of its own.
 *
 * <p>Start at {@link io.kubeloop.junit.KubeloopTest}.
 */
module io.kubeloop.junit {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controlplane;
    requires transitive io.kubeloop.cache;
    requires transitive org.junit.jupiter.api;
    requires static transitive io.kubeloop.simulation;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;

    exports io.kubeloop.junit;
}
