/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HTTP transport, on OkHttp: kubeconfig, credentials, TLS, retries, rate limit, and a hand-written watch decoder.
 *
 * <p>No type of OkHttp, Okio, Moshi or SnakeYAML is in a public signature.
 */
module io.kubeloop.transport.http {
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires transitive io.kubeloop.api;
    requires io.kubeloop.json;
    requires io.kubeloop.runtime;
    requires jdk.net; // TCP keep-alive in numbers
    requires okhttp3;
    requires okio;
    requires org.slf4j;

    exports io.kubeloop.transport.http;
}
