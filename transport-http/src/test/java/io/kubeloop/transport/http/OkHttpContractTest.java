/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.http.WireContractTest;
import java.net.URI;

/** The contract of transports, over the HTTP API of the embedded server. */
class OkHttpContractTest extends WireContractTest {

    @Override
    protected Transport connect(URI address) {
        // Pauses that the server requests are skipped.
        return OkHttpTransport.builder(ClientConfig.of(address.toString()))
                .scheduler(new InstantScheduler(duration -> {}))
                .build();
    }
}
