package io.kubeloop.transport.http;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.TransportContractTest;
import io.kubeloop.transport.memory.http.HttpFace;

/** The contract, over the embedded server's HTTP side. */
class OkHttpContractTest extends TransportContractTest {

    private HttpFace face;

    @Override
    protected Transport connect(EmbeddedApiServer server) {
        face = HttpFace.start(server.transport(), HttpFace.Config.DEFAULT);
        // What the server asks to wait is not waited for.
        return OkHttpTransport.builder(ClientConfig.of(face.uri().toString()))
                .pause(duration -> true)
                .build();
    }

    @Override
    protected void disconnect() {
        face.close();
    }
}
