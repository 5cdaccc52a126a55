/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;

/** Forwards every call; a test overrides the methods that it changes. */
class ForwardingTransport implements Transport {

    private final Transport target;

    ForwardingTransport(Transport target) {
        this.target = target;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        return target.execute(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return target.stream(request);
    }

    @Override
    public void close() {
        target.close();
    }
}
