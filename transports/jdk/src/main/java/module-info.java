/* SPDX-License-Identifier: Apache-2.0 */
/** A transport on {@code java.net.http}: a complete example of a transport, in less than 200 lines of code. */
module io.kubeloop.transport.jdk {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.api;
    requires transitive java.net.http;

    exports io.kubeloop.transport.jdk;
}
