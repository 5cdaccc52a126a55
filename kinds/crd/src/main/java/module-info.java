/* SPDX-License-Identifier: Apache-2.0 */
/** Annotations that turn a record into a kind. Nothing of this module is needed at run time. */
module io.kubeloop.crd {
    requires transitive io.kubeloop.api;
    requires static org.jspecify;

    exports io.kubeloop.crd;
}
