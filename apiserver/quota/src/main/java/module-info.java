/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The arithmetic of quotas: the amounts of resources that an object uses, and the quotas that count it (upstream:
 * {@code k8s.io/apiserver/pkg/quota} and {@code pkg/quota/v1}).
 *
 * <p>The API server charges these amounts, and the quota controller counts them. Neither knows the other.
 */
module io.kubeloop.quota {
    requires transitive io.kubeloop.api;
    requires transitive io.kubeloop.json;
    requires static transitive org.jspecify;

    exports io.kubeloop.quota;
}
