/**
 * A transport on {@code java.net.http}: what another transport has to do, in as few lines as it takes.
 */
module io.kubeloop.transport.jdk {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.api;
    requires transitive java.net.http;

    exports io.kubeloop.transport.jdk;
}
