package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.TransportContractTest;
import io.kubeloop.transport.memory.http.HttpFace;
import java.net.http.HttpClient;

/** The contract, over the embedded server's HTTP side. */
class JdkContractTest extends TransportContractTest {

    private HttpFace face;

    @Override
    protected Transport connect(EmbeddedApiServer server) {
        face = HttpFace.start(server.transport(), HttpFace.Config.DEFAULT);
        return JdkTransport.create(face.uri(), HttpClient.newBuilder(), request -> {});
    }

    @Override
    protected void disconnect() {
        face.close();
    }
}
