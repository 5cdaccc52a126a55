/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes' own kinds as plug-ins of the API server: defaults, validation, allocation, subresources and columns.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.BuiltInKinds}.
 */
module io.kubeloop.apiserver.kinds {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.apiserver;
    requires io.kubeloop.quota;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires org.slf4j;
    requires re2j;

    exports io.kubeloop.apiserver.kinds;
}
