/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Rejects writes while writes are not allowed. Thread-safe.
 *
 * <p>The check is the last one before the first byte of a request. All waits precede it: for the rate limit, for a
 * {@code Retry-After}, for a credential, and for the connection. It is made for each attempt.
 */
final class WriteFence implements Interceptor {

    private final BooleanSupplier mayWrite;

    WriteFence(BooleanSupplier mayWrite) {
        this.mayWrite = mayWrite;
    }

    /** A write was rejected. Nothing of it was sent. */
    static final class FencedException extends IOException {

        private static final long serialVersionUID = 1L;

        FencedException() {
            super("writes are no longer allowed");
        }
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        if (!chain.request().method().equals("GET") && !mayWrite.getAsBoolean()) {
            throw new FencedException();
        }
        return chain.proceed(chain.request());
    }
}
