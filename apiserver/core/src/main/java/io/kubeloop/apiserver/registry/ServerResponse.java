/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.SleepObserver;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A response of the server: a document or a stream of frames. */
public sealed interface ServerResponse {

    /**
     * A document in several buffers, so the bytes of stored objects are not copied.
     *
     * @param code the HTTP status code
     * @param pieces the buffers in order, each with an array; the buffers belong to the response, but their bytes are
     *     shared and must
     *     not be modified
     * @param retryAfterSeconds the value of the {@code Retry-After} header; 0 for none
     * @param warnings the texts of the {@code Warning} headers
     */
    record Document(int code, List<ByteBuffer> pieces, long retryAfterSeconds, List<String> warnings)
            implements ServerResponse {

        /** Copies the warnings. */
        public Document {
            warnings = List.copyOf(warnings);
        }

        /** Returns the document of these bytes. */
        public static Document of(int code, byte[] json) {
            return new Document(code, List.of(ByteBuffer.wrap(json)), 0, List.of());
        }

        /** Returns the document of a stored object in the form of a served version. */
        public static Document of(int code, ResourceStore store, StoredObject object) {
            return of(code, store.json(object));
        }

        /** Returns the document of a tree. */
        public static Document of(int code, JsonObject object) {
            return of(code, object.toBytes());
        }

        static Document of(StatusException failure) {
            return new Document(
                    failure.code(),
                    List.of(ByteBuffer.wrap(failure.status().toBytes())),
                    failure.retryAfterSeconds(),
                    List.of());
        }

        /** Returns about how many bytes of memory the document holds. O(1) for a list, whose pieces are not encoded. */
        public long weight() {
            return pieces instanceof ListPieces list
                    ? list.weight()
                    : pieces.stream().mapToInt(ByteBuffer::remaining).sum();
        }

        /** Returns all bytes of the document. Copies unless it is one whole array. */
        public byte[] bytes() {
            if (pieces.size() == 1) {
                ByteBuffer only = pieces.get(0);
                if (only.hasArray()
                        && only.arrayOffset() + only.position() == 0
                        && only.remaining() == only.array().length) {
                    return only.array();
                }
            }
            ByteArrayOutputStream whole = new ByteArrayOutputStream(); // a piece may be encoded at each look
            for (ByteBuffer piece : pieces) {
                whole.write(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining());
            }
            return whole.toByteArray();
        }

        /** Returns this document with further warnings; a text that it already has is not repeated. */
        public Document withWarnings(List<String> further) {
            if (further.isEmpty()) {
                return this;
            }
            Set<String> all = new LinkedHashSet<>(warnings);
            all.addAll(further);
            return new Document(code, pieces, retryAfterSeconds, List.copyOf(all));
        }
    }

    /** The frames of a watch. One thread calls {@link #next}; any thread may call {@link #close}. */
    non-sealed interface Frames extends ServerResponse, AutoCloseable {

        /**
         * Returns the next frame, or null when the watch has ended. Blocks until there is a frame, the watch times
         * out or it is closed.
         *
         * @throws InterruptedException if the thread is interrupted while it waits; the watch stays open
         */
        @Nullable
        WatchFrame next() throws InterruptedException;

        /**
         * Returns whether {@link #next} may return without waiting, so its frame can be sent together with the
         * last one. Called by the thread that calls {@code next}.
         */
        boolean hasMore();

        /** Sets the observer of the waits of {@link #next}, before its first call. Default: no effect. */
        default void observe(SleepObserver observer) {}

        /** Returns the texts of the {@code Warning} headers. */
        default List<String> warnings() {
            return List.of();
        }

        /** Ends the watch; a blocked {@link #next} returns null at once. Does not block. */
        @Override
        void close();
    }
}
