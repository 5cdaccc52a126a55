/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map in one array that keeps the order of its entries. It holds labels and annotations, because every
 * cached object has two such maps. It takes a tenth of the memory of a {@code LinkedHashMap}, and a scan of a few
 * entries is as fast as hashing. Look-ups are O(n).
 *
 * @param <V> the type of the values
 */
final class CompactMap<V> extends AbstractMap<String, V> {

    /** Above this many entries a scan is slower than hashing, and {@link Values} keeps a hash map instead. */
    static final int MAX_ENTRIES = 16;

    /** Keys have even indexes, values odd ones. */
    private final Object[] keysAndValues;

    CompactMap(Map<String, V> source) {
        Object[] pairs = new Object[source.size() * 2];
        int next = 0;
        for (Map.Entry<String, V> entry : source.entrySet()) {
            if (entry.getKey() == null || entry.getValue() == null) {
                throw new NullPointerException("a map has a null key or value: " + entry);
            }
            pairs[next++] = entry.getKey();
            pairs[next++] = entry.getValue();
        }
        keysAndValues = pairs;
    }

    @Override
    public int size() {
        return keysAndValues.length / 2;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return indexOf(key) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int index = indexOf(key);
        return index < 0 ? null : value(index);
    }

    private int indexOf(@Nullable Object key) {
        Object[] pairs = keysAndValues;
        for (int i = 0; i < pairs.length; i += 2) {
            // Usually both are the same object, because decoders share equal strings.
            if (pairs[i] == key || pairs[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }

    @SuppressWarnings("unchecked") // only values of type V have odd indexes
    private V value(int keyIndex) {
        return (V) keysAndValues[keyIndex + 1];
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, V>> {

        @Override
        public int size() {
            return CompactMap.this.size();
        }

        @Override
        public Iterator<Entry<String, V>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keysAndValues.length;
                }

                @Override
                public Entry<String, V> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("the map has " + size() + " entries");
                    }
                    int current = next;
                    next += 2;
                    return new SimpleImmutableEntry<>((String) keysAndValues[current], value(current));
                }
            };
        }
    }
}
