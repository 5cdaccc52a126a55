/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decodes the frames of a stream into watch events. One thread reads, and any thread can close it. */
final class DecodingWatchStream<T extends KubeObject> implements WatchStream<T> {

    private final ApiRequest request;
    private final ApiStream frames;
    private final ObjectCodec codec;
    private final ResourceType<T> type;

    DecodingWatchStream(ApiRequest request, ApiStream frames, ObjectCodec codec, ResourceType<T> type) {
        this.request = request;
        this.frames = frames;
        this.codec = codec;
        this.type = type;
    }

    @Override
    public @Nullable WatchEvent<T> next() {
        ByteBuffer frame = frames.nextShared();
        try {
            return frame == null ? null : codec.decodeEvent(type, frame);
        } catch (DecodeException e) {
            throw Responses.malformed(request, e);
        }
    }

    @Override
    public void close() {
        frames.close();
    }
}
