/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The network between a controller and the server. Requests get lost, responses get lost after the server has processed
 * the request, and the server has moments in which it answers with an error, before or after the deed.
 */
public final class UnreliableNetwork implements Transport {

    private final Transport server;
    private final Random random;
    private final Consumer<ApiRequest> beforeWrite;
    private final Consumer<ApiRequest> afterWrite;
    private int percentOfFailures;

    /**
     * Makes a network without failures.
     *
     * @param beforeWrite called when a write is about to leave; may change the world
     * @param afterWrite called when the server has carried a write out, whatever becomes of the answer
     */
    public UnreliableNetwork(
            Transport server, Random random, Consumer<ApiRequest> beforeWrite, Consumer<ApiRequest> afterWrite) {
        this.server = server;
        this.random = random;
        this.beforeWrite = beforeWrite;
        this.afterWrite = afterWrite;
    }

    /** Sets how many of a hundred requests fail. */
    public void failures(int percent) {
        percentOfFailures = percent;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        boolean isWrite = !request.method().equals("GET");
        if (isWrite) {
            beforeWrite.accept(request);
        }
        int failure = random.nextInt(100) < percentOfFailures ? random.nextInt(4) : 4;
        if (failure == 0) {
            throw new TransportException(TransportException.Kind.CONNECT, request.describe() + ": never sent", null);
        }
        if (failure == 1) {
            return unavailable(503);
        }
        ApiResponse answer = server.execute(request);
        if (isWrite) {
            afterWrite.accept(request);
        }
        if (failure == 2) {
            throw new TransportException(TransportException.Kind.TIMEOUT, request.describe() + ": answer lost", null);
        }
        return failure == 3 ? unavailable(504) : answer;
    }

    private static ApiResponse unavailable(int code) {
        String body =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"simulated\",\"code\":"
                        + code + "}";
        return new ApiResponse(
                code,
                Map.of("content-type", List.of(ApiRequest.JSON)),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new TransportException(
                TransportException.Kind.CONFIGURATION,
                request.describe() + ": caches are simulated, not watched",
                null);
    }

    @Override
    public void close() {}
}
