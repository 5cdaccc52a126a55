/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.transport.http.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Sets the read timeout of a response once its headers have arrived. Thread-safe.
 *
 * <p>HTTP/2 connections are pinged, so a stream on them may be silent indefinitely. HTTP/1.1 has no pings: a stream
 * that is silent for too long counts as dead. A response in place of a stream (an error) keeps the timeout of requests
 * until its last byte.
 *
 * <p>Over HTTP/1.1 only the socket limits the wait. Okio would set a timer before each read of at most 8 KiB, and wake
 * the thread that waits for timers, which a quarter of the samples of a process's first list showed.
 */
final class ReadTimeouts implements Interceptor {

    private final Timeouts timeouts;
    private final boolean ofStreams;

    ReadTimeouts(Timeouts timeouts, boolean ofStreams) {
        this.timeouts = timeouts;
        this.ofStreams = ofStreams;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        Connection connection = chain.connection();
        boolean stream = ofStreams && response.code() == 200;
        if (response.protocol() == Protocol.HTTP_2) {
            if (stream) {
                untimed(response);
            }
        } else if (connection != null) {
            untimed(response);
            Duration limit = stream ? timeouts.idle() : timeouts.read();
            // OkHttp sets both timeouts again for each call on the connection.
            connection.socket().setSoTimeout(Math.toIntExact(limit.toMillis()));
        }
        return response;
    }

    private static void untimed(Response response) {
        response.body().source().timeout().timeout(0, TimeUnit.MILLISECONDS);
    }
}
