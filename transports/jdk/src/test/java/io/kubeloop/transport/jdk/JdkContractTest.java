/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.http.WireContractTest;
import java.net.URI;
import java.net.http.HttpClient;

/** The contract of transports, over the HTTP API of the embedded server. */
class JdkContractTest extends WireContractTest {

    @Override
    protected Transport connect(URI address) {
        return JdkTransport.create(address, HttpClient.newBuilder(), request -> {});
    }
}
