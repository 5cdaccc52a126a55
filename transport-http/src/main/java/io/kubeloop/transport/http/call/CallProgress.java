/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import okhttp3.Call;
import okhttp3.EventListener;

/**
 * The progress of one attempt. The calling thread writes and reads it. OkHttp also writes it from other threads when it
 * tries several addresses at once, so the fields are volatile.
 */
final class CallProgress extends EventListener {

    private volatile boolean requestStarted;

    /** Returns whether bytes of the request may have reached the server. */
    boolean isRequestStarted() {
        return requestStarted;
    }

    @Override
    public void requestHeadersStart(Call call) {
        requestStarted = true;
    }
}
