/* SPDX-License-Identifier: Apache-2.0 */
/** A transport that uses protocol buffers over any other transport; its callers use JSON. */
module io.kubeloop.transport.protobuf {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.api;
    requires io.kubeloop.json;
    requires org.slf4j;

    exports io.kubeloop.transport.protobuf;
}
