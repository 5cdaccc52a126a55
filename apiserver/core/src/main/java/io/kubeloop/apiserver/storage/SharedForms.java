/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.lang.ref.SoftReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The encoded forms of one event, so an event is encoded once for all its watchers. Thread-safe, without locks:
 * two threads may encode the same form at the same time, and then one of the equal results stays.
 */
public final class SharedForms {

    /** Further forms are not kept, which bounds the memory of an event. */
    private static final int MAX = 8;

    // Immutable list, newest first. Deliberately racy: a lost form is encoded again.
    // Soft because an event whose encodings were lost can be encoded again, and their size is that of the object.
    private volatile @Nullable SoftReference<Form> newest;

    private record Form(Object key, byte[] bytes, @Nullable Form next) {}

    /**
     * Returns the form of a key. O(the number of forms). The array is shared: callers must not modify it.
     *
     * @param key names the form; compared with {@code equals}
     * @param encoder encodes the event; must be pure
     */
    public byte[] get(Object key, Supplier<byte[]> encoder) {
        SoftReference<Form> reference = newest;
        Form first = reference == null ? null : reference.get();
        int count = 0;
        for (Form form = first; form != null; form = form.next()) {
            if (form.key().equals(key)) {
                return form.bytes();
            }
            count++;
        }
        byte[] bytes = encoder.get();
        if (count < MAX) {
            newest = new SoftReference<>(new Form(key, bytes, first));
        }
        return bytes;
    }
}
