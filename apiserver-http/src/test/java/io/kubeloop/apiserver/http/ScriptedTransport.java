package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
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

/** A transport with responses and stream frames that a test supplies. Thread-safe. */
final class ScriptedTransport implements Transport {

    /** Describes the resources that the scripted responses are about; it executes no request. */
    static final ApiServer RESOURCES = ApiServer.builder().build(BuiltInKinds.create());

    final BlockingQueue<ApiRequest> requests = new LinkedBlockingQueue<>();
    /** An empty element ends the stream. */
    final BlockingQueue<Optional<byte[]>> frames = new LinkedBlockingQueue<>();

    private static final byte[] FAILS = {};
    private volatile @Nullable TransportException failure;

    final CountDownLatch streamClosed = new CountDownLatch(1);
    private final Function<ApiRequest, ApiResponse> answers;

    ScriptedTransport(Function<ApiRequest, ApiResponse> answers) {
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

    /** Makes the stream fail with this exception after the frames so far. */
    void failAfterFrames(TransportException with) {
        failure = with;
        frames.add(Optional.of(FAILS));
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
                byte[] frame;
                try {
                    frame = frames.take().orElse(null);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                TransportException planned = failure;
                if (frame == FAILS && planned != null) {
                    throw planned;
                }
                return frame;
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
