/**
 * An API server in this process: storage with one clock of resource versions, watches, the built-in kinds, and a transport
 * that needs no socket.
 */
@SuppressWarnings("module") // app is built after this module
module io.kubeloop.transport.memory {
    requires transitive io.kubeloop.api;
    requires io.kubeloop.json;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.kubeloop.transport.memory;
    exports io.kubeloop.transport.memory.http;
    exports io.kubeloop.transport.memory.kubelet;
    exports io.kubeloop.transport.memory.machinery to
            io.kubeloop.app;
    exports io.kubeloop.transport.memory.registry to
            io.kubeloop.app;
}
