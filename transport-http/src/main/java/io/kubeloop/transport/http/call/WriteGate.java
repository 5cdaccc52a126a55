package io.kubeloop.transport.http.call;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Lets a write pass only while writes are allowed.
 *
 * <p>The last thing that is asked before a request's first byte: every wait lies before it (for the rate limit, for what
 * {@code Retry-After} said, for a credential, for the connection), and it is asked anew for each attempt.
 */
final class WriteGate implements Interceptor {

    private final BooleanSupplier mayWrite;

    WriteGate(BooleanSupplier mayWrite) {
        this.mayWrite = mayWrite;
    }

    /** A write that did not pass. */
    static final class ShutException extends IOException {

        private static final long serialVersionUID = 1L;

        ShutException() {
            super("writes are not allowed any more");
        }
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        if (!chain.request().method().equals("GET") && !mayWrite.getAsBoolean()) {
            throw new ShutException();
        }
        return chain.proceed(chain.request());
    }
}
