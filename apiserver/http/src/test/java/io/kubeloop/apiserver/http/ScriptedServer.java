/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.json.tree.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server with responses and watch events that a test supplies. A watch is answered with code 200 only. Thread-safe.
 */
final class ScriptedServer implements Function<ApiRequest, ServerResponse> {

    /** Describes the resources that the scripted responses are about; it executes no request. */
    static final ApiServer RESOURCES = ApiServer.builder().build(BuiltInKinds.create());

    final BlockingQueue<ApiRequest> requests = new LinkedBlockingQueue<>();
    /** An empty element ends the watch. */
    final BlockingQueue<Optional<WatchFrame>> frames = new LinkedBlockingQueue<>();

    private static final WatchFrame FAILS = WatchFrame.of("FAILS", JsonObject.EMPTY);
    private volatile @Nullable RuntimeException failure;

    final CountDownLatch watchClosed = new CountDownLatch(1);
    private final Function<ApiRequest, ServerResponse.Document> answers;

    ScriptedServer(Function<ApiRequest, ServerResponse.Document> answers) {
        this.answers = answers;
    }

    static ServerResponse.Document answer(int code, String body) {
        return new ServerResponse.Document(
                code, List.of(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8))), code == 429 ? 7 : 0, List.of());
    }

    void frame(String type, String object) {
        frames.add(Optional.of(WatchFrame.of(type, JsonObject.parse(object))));
    }

    /** Makes the watch fail with this exception after the events so far. */
    void failAfterFrames(RuntimeException with) {
        failure = with;
        frames.add(Optional.of(FAILS));
    }

    void endWatch() {
        frames.add(Optional.empty());
    }

    @Override
    public ServerResponse apply(ApiRequest request) {
        requests.add(request);
        ServerResponse.Document document = answers.apply(request);
        boolean isWatch = request.method().equals("GET") && request.query().containsKey("watch");
        return isWatch && document.code() == 200 ? new Watch() : document;
    }

    private final class Watch implements ServerResponse.Frames {

        @Override
        public @Nullable WatchFrame next() throws InterruptedException {
            WatchFrame frame = frames.take().orElse(null);
            RuntimeException planned = failure;
            if (frame == FAILS && planned != null) {
                throw planned;
            }
            return frame;
        }

        @Override
        public boolean hasMore() {
            return false;
        }

        @Override
        public void close() {
            watchClosed.countDown();
            endWatch();
        }
    }
}
