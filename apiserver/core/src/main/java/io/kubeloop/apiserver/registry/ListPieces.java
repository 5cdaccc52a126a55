/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.storage.StoredObject;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * The bytes of a list of objects, which are encoded when they are read: a client that does not read its response holds
 * the objects and not their encodings. Thread-safe.
 */
final class ListPieces extends AbstractList<ByteBuffer> implements RandomAccess {

    private static final byte[] FIRST = {'{'};
    private static final byte[] NEXT = {',', '{'};
    private static final byte[] END = {']', '}'};

    private final byte[] head;
    private final List<StoredObject> objects;
    private final Function<StoredObject, ByteBuffer> encoder;

    /**
     * Creates the bytes of a list.
     *
     * @param head the bytes before the first object
     * @param encoder returns the bytes of an object after its opening brace; must be pure
     */
    ListPieces(byte[] head, List<StoredObject> objects, Function<StoredObject, ByteBuffer> encoder) {
        this.head = head;
        this.objects = objects;
        this.encoder = encoder;
    }

    @Override
    public ByteBuffer get(int index) {
        if (index == 0) {
            return ByteBuffer.wrap(head);
        }
        if (index == size() - 1) {
            return ByteBuffer.wrap(END);
        }
        return index % 2 == 0 ? encoder.apply(objects.get(index / 2 - 1)) : ByteBuffer.wrap(index == 1 ? FIRST : NEXT);
    }

    @Override
    public int size() {
        return 2 * objects.size() + 2;
    }

    /** Returns about how many bytes of memory the objects take. */
    long weight() {
        return head.length + objects.stream().mapToLong(StoredObject::weight).sum();
    }
}
