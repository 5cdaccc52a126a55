/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.Transport;

class InProcessTransportTest extends TransportContractTest {

    @Override
    protected Transport connect(EmbeddedApiServer server) {
        return server.transport();
    }
}
