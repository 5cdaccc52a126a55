/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The work queue of a controller: deduplicating, delaying, rate limited (upstream: {@code
 * k8s.io/client-go/util/workqueue}).
 *
 * <p>It depends on {@code runtime}, the JDK and JSpecify's annotations only, and uses no Kubernetes types.
 */
module io.kubeloop.workqueue {
    requires transitive io.kubeloop.runtime;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.kubeloop.workqueue;
}
