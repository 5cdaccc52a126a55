package io.kubeloop.transport.http.call;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Gives a stream two patiences: the client's read time-out until the headers are there, and another one after.
 *
 * <p>An answer that is not a stream (a refusal) keeps the client's patience to its last byte.
 *
 * <p>HTTP/2 connections are pinged, so that a stream on them may be quiet for ever. HTTP/1.1 has no pings: a stream that is
 * quiet for too long is taken for dead.
 */
final class StreamTimeouts implements Interceptor {

    private final Duration http1Idle;

    StreamTimeouts(Duration http1Idle) {
        this.http1Idle = http1Idle;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.code() != 200) {
            return response;
        }
        Connection connection = chain.connection();
        boolean pinged = response.protocol() == Protocol.HTTP_2;
        int quiet = pinged ? 0 : Math.toIntExact(http1Idle.toMillis());
        response.body().source().timeout().timeout(quiet, TimeUnit.MILLISECONDS);
        if (!pinged && connection != null) {
            // OkHttp sets the socket's own limit too, and anew for every call on the connection.
            connection.socket().setSoTimeout(quiet);
        }
        return response;
    }
}
