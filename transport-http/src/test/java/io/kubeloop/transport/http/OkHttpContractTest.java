package io.kubeloop.transport.http;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.WireContractTest;
import java.net.URI;

/** The contract, over the embedded server's HTTP side. */
class OkHttpContractTest extends WireContractTest {

    @Override
    protected Transport connect(URI address) {
        // What the server asks to wait is not waited for.
        return OkHttpTransport.builder(ClientConfig.of(address.toString()))
                .pause(duration -> true)
                .build();
    }
}
