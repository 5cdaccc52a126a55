/**
 * An API server inside this process: storage with one sequence of resource versions, watches, the built-in kinds, a
 * transport without a socket, an HTTP front end and a simulated kubelet.
 *
 * <p>Three packages are public: the server itself, {@code http} and {@code kubelet}. The packages {@code machinery}
 * and {@code registry} are exported to the command line only, which reads the table of served resources.
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
