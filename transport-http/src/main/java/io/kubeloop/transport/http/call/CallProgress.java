package io.kubeloop.transport.http.call;

import okhttp3.Call;
import okhttp3.EventListener;

/**
 * How far one attempt got. Written and read by the thread that makes the call, except where OkHttp tries several addresses
 * at once; hence volatile.
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
