package io.kubeloop.workqueue.collection;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash map that releases its table after a burst. Not thread-safe: confined to the lock of its owner.
 *
 * <p>The table of a {@link HashMap} never shrinks. This map replaces it in O(1) when it puts the first key after it was
 * empty, if it held more than {@value #LARGEST_KEPT} keys since the last replacement.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class ShrinkingMap<K, V> {

    /** A table that never held more keys than this is kept. */
    static final int LARGEST_KEPT = 1024;

    private Map<K, V> map = new HashMap<>();

    /** The largest number of keys since the table was made. */
    private int peak;

    /** How often the table was replaced. */
    private int replacements;

    /** Makes an empty map. */
    public ShrinkingMap() {}

    /** Returns the value of the key; null if it is absent. */
    public @Nullable V get(K key) {
        return map.get(key);
    }

    /**
     * Puts the value under a key that is absent. If memory is too short for it, the map is as it was.
     */
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
                map.remove(key); // a HashMap that cannot grow contains the key already when it throws
            }
        }
        peak = Math.max(peak, map.size());
    }

    /** Puts the value unless the key is present. */
    public void putIfAbsent(K key, V value) {
        if (map.get(key) == null) {
            put(key, value);
        }
    }

    /** Removes the key, if it is present. */
    public void remove(K key) {
        map.remove(key);
    }

    /** Returns whether the map holds no key. */
    public boolean isEmpty() {
        return map.isEmpty();
    }

    /** Returns how often the table was replaced. */
    int replacements() {
        return replacements;
    }
}
