package io.kubeloop.transport.http.call;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Sets the read timeout of a stream: that of the client until the headers arrive, and a different one afterwards.
 * Thread-safe.
 *
 * <p>A response that is not a stream (an error) keeps the client's timeout until its last byte.
 *
 * <p>HTTP/2 connections are pinged, so a stream on them may be silent indefinitely. HTTP/1.1 has no pings: a stream
 * that is silent for too long counts as dead.
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
            // OkHttp also sets the timeout of the socket, again for every call on the connection.
            connection.socket().setSoTimeout(quiet);
        }
        return response;
    }
}
