/**
 * The HTTP transport, on OkHttp: kubeconfig, authentication, TLS, retries, rate limit, and a watch decoder written by hand.
 *
 * <p>No type of OkHttp, Okio, Moshi or SnakeYAML appears in a public signature.
 */
module io.kubeloop.transport.http {
    requires static transitive org.jspecify;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler; // generated builders carry @Generated
    requires transitive io.kubeloop.api;
    requires io.kubeloop.json;
    requires jdk.net; // TCP keep-alive in numbers
    requires okhttp3;
    requires okio;
    requires org.slf4j;

    exports io.kubeloop.transport.http;
}
