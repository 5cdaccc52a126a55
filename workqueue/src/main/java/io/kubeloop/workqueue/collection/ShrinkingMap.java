package io.kubeloop.workqueue.collection;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash map that releases its table after a burst. Not thread-safe: guarded by the lock of its owner.
 *
 * <p>The table of a {@link HashMap} never shrinks. This map replaces it in O(1), at the first put into the empty map, if the map
 * has held more than {@value #LARGEST_KEPT} keys since the last replacement.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class ShrinkingMap<K, V> {

    /** A table that never held more keys than this is kept. */
    static final int LARGEST_KEPT = 1024;

    private Map<K, V> map = new HashMap<>();

    /** The largest number of keys since the last replacement. */
    private int peak;

    /** The number of replacements. */
    private int replacements;

    /** Creates an empty map. */
    public ShrinkingMap() {}

    /** Returns the value of the key; null if it is absent. */
    public @Nullable V get(K key) {
        return map.get(key);
    }

    /** Stores the value under an absent key. If memory is too short, it throws and the map does not change. */
    public void put(K key, V value) {
        if (peak > LARGEST_KEPT && map.isEmpty()) {
            map = new HashMap<>();
            peak = 0;
            replacements++;
        }
        boolean kept = false;
        try {
            map.put(key, value);
            kept = true;
        } finally {
            if (!kept) {
                map.remove(key); // when a HashMap cannot grow, it throws after it has added the key
            }
        }
        peak = Math.max(peak, map.size());
    }

    /** Stores the value unless the key is present. */
    public void putIfAbsent(K key, V value) {
        if (map.get(key) == null) {
            put(key, value);
        }
    }

    /** Removes the key if it is present. */
    public void remove(K key) {
        map.remove(key);
    }

    /** Returns whether the map is empty. */
    public boolean isEmpty() {
        return map.isEmpty();
    }

    /** Returns the number of replacements of the table. */
    int replacements() {
        return replacements;
    }
}
