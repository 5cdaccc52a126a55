package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the server answers: a document or a stream of frames. */
public sealed interface ServerResponse {

    /**
     * A document in pieces, so that the bytes of stored objects need not be copied.
     *
     * @param code the HTTP status code
     * @param pieces its bytes, to be sent one after the other; of their own, but the bytes are not to be written to
     * @param retryAfterSeconds what to say in the header of that name; 0 for nothing
     */
    record Document(int code, List<ByteBuffer> pieces, long retryAfterSeconds) implements ServerResponse {

        static Document of(int code, StoredObject object) {
            return new Document(code, List.of(ByteBuffer.wrap(object.json())), 0);
        }

        static Document of(int code, JsonObject object) {
            return new Document(code, List.of(ByteBuffer.wrap(object.toBytes())), 0);
        }

        static Document of(ApiFailure failure) {
            return new Document(
                    failure.code(), List.of(ByteBuffer.wrap(failure.status().toBytes())), failure.retryAfterSeconds());
        }
    }

    /** Frames of a watch. One thread calls {@link #next}; any thread may call {@link #close}. */
    non-sealed interface Frames extends ServerResponse, AutoCloseable {

        /** Returns the next frame, or null when the watch has ended. Blocks. */
        byte @Nullable [] next() throws InterruptedException;

        /** Ends a blocked {@link #next} at once. */
        @Override
        void close();
    }
}
