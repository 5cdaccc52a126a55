/** Protocol buffers on the wire of any transport; everything above it goes on seeing JSON. */
module io.kubeloop.transport.protobuf {
    requires static transitive org.jspecify;
    requires transitive io.kubeloop.api;
    requires io.kubeloop.json;
    requires org.slf4j;

    exports io.kubeloop.transport.protobuf;
}
