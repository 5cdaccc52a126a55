/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Responses what it is told, and remembers what it was asked and which answers were closed. For one thread. */
final class RecordingTransport implements Transport {

    private final List<ApiRequest> requests = new ArrayList<>();
    private final Deque<ApiResponse> responses = new ArrayDeque<>();
    private final Deque<ApiStream> streams = new ArrayDeque<>();
    private int open;
    private boolean closed;

    void answer(int code, String body) {
        answer(code, Map.of(), body);
    }

    void answer(int code, Map<String, List<String>> headers, String body) {
        responses.add(new ApiResponse(code, headers, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public void close() {
                open--;
            }
        }));
    }

    void answerStream(int code, Map<String, List<String>> headers, String... frames) {
        Deque<String> left = new ArrayDeque<>(List.of(frames));
        streams.add(new ApiStream() {
            @Override
            public int code() {
                return code;
            }

            @Override
            public Map<String, List<String>> headers() {
                return headers;
            }

            @Override
            public byte[] next() {
                String frame = left.poll();
                return frame == null ? null : frame.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public void close() {
                open--;
            }
        });
    }

    List<ApiRequest> requests() {
        return List.copyOf(requests);
    }

    ApiRequest onlyRequest() {
        if (requests.size() != 1) {
            throw new AssertionError("want one request, got " + requests);
        }
        return requests.get(0);
    }

    /** Returns how many answers were handed out and not closed. */
    int open() {
        return open;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public ApiResponse execute(ApiRequest request) {
        requests.add(request);
        open++;
        return responses.remove();
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        requests.add(request);
        open++;
        return streams.remove();
    }

    @Override
    public void close() {
        closed = true;
    }
}
