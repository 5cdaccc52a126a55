package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transport that answers what a test tells it, and streams what a test puts in. Thread-safe. */
final class FakeTransport implements Transport {

    final BlockingQueue<ApiRequest> requests = new LinkedBlockingQueue<>();
    /** Empty where the stream ends. */
    final BlockingQueue<Optional<byte[]>> frames = new LinkedBlockingQueue<>();

    final CountDownLatch streamClosed = new CountDownLatch(1);
    private final Function<ApiRequest, ApiResponse> answers;

    FakeTransport(Function<ApiRequest, ApiResponse> answers) {
        this.answers = answers;
    }

    static ApiResponse answer(int code, String body) {
        return new ApiResponse(
                code,
                Map.of("content-type", List.of("application/json"), "retry-after", List.of("7"), "date", List.of("x")),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    void frame(String frame) {
        frames.add(Optional.of(frame.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        requests.add(request);
        return answers.apply(request);
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        requests.add(request);
        int code = answers.apply(request).code();
        return new ApiStream() {
            @Override
            public int code() {
                return code;
            }

            @Override
            public Map<String, List<String>> headers() {
                return Map.of();
            }

            @Override
            public byte @Nullable [] next() {
                try {
                    return frames.take().orElse(null);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void close() {
                streamClosed.countDown();
                frames.add(Optional.empty());
            }
        };
    }

    @Override
    public void close() {
        frames.add(Optional.empty());
    }
}
