/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HTTP front end of the API server: negotiation, discovery, tables, TLS, tokens and watches.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.HttpApiServer}.
 */
@SuppressWarnings("module") // the modules that it exports a package to are built later
module io.kubeloop.apiserver.http {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.apiserver;
    requires io.kubeloop.runtime;
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires java.naming;
    requires jdk.net;
    requires org.slf4j;
    requires re2j;

    exports io.kubeloop.apiserver.http;
    exports io.kubeloop.apiserver.http.wire to
            io.kubeloop.demo,
            io.kubeloop.manager.command,
            io.kubeloop.webhook;
}
