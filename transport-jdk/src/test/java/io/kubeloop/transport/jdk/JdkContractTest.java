package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.WireContractTest;
import java.net.URI;
import java.net.http.HttpClient;

/** The contract, over the embedded server's HTTP side. */
class JdkContractTest extends WireContractTest {

    @Override
    protected Transport connect(URI address) {
        return JdkTransport.create(address, HttpClient.newBuilder(), request -> {});
    }
}
