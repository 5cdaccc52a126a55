package io.kubeloop.cache.store;

import io.kubeloop.cache.KeyException;
import io.kubeloop.cache.Store;
import io.kubeloop.cache.runtime.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that forgets what has not been written for a while (upstream: {@code cache.ExpirationCache}; TTL-01).
 *
 * <p>Nothing runs in the background: an object is dropped when somebody reads it, or a list, after its time. Until then it
 * takes its room, and {@link #size()} and {@link #listKeys()} count it. Every write of an object gives it the whole time
 * again; reading does not.
 *
 * <p>Thread-safe without locks, as the {@link ThreadSafeStore} below it: where upstream takes an exclusive lock to drop what
 * expired, a reader here removes exactly the entry that it found too old, and leaves one that was written meanwhile alone.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class ExpirationStore<K extends Comparable<? super K>, T> implements Store<K, T> {

    /*
     * Invariants:
     *   X1  An entry is dropped only by whoever found that very entry, not its key, too old; so no fresh write is lost.
     *   X2  All objects of one replace carry one time: they expire together.
     *
     * No lock. Any thread may call anything; the key and version functions and the clock run on the caller's thread.
     */

    /** An object and when it was written. Compared by identity: two writes of one object are two entries (X1). */
    private static final class Stamped<T> {
        final T object;
        final long writtenAt;

        Stamped(T object, long writtenAt) {
            this.object = object;
            this.writtenAt = writtenAt;
        }
    }

    private final Function<? super T, ? extends K> keyOf;
    private final long ttlNanos;
    private final LongSupplier nanoTime;
    private final ThreadSafeStore<K, Stamped<T>> entries;

    /**
     * Makes an empty store on the machine's monotonic clock.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version; empty if it has none
     * @param ttl an object older than this is gone; zero or less for never
     */
    public ExpirationStore(
            Function<? super T, ? extends K> keyOf, Function<? super T, String> versionOf, Duration ttl) {
        this(keyOf, versionOf, ttl, System::nanoTime);
    }

    /**
     * Makes an empty store.
     *
     * @param keyOf returns an object's key; throws if it has none
     * @param versionOf returns an object's resource version; empty if it has none
     * @param ttl an object older than this is gone; zero or less for never
     * @param nanoTime a clock in nanoseconds that never goes back
     */
    public ExpirationStore(
            Function<? super T, ? extends K> keyOf,
            Function<? super T, String> versionOf,
            Duration ttl,
            LongSupplier nanoTime) {
        this.keyOf = keyOf;
        this.ttlNanos = ttl.isNegative() ? 0 : Durations.nanos(ttl);
        this.nanoTime = nanoTime;
        this.entries = new ThreadSafeStore<>(
                stamped -> keyOf.apply(stamped.object), stamped -> versionOf.apply(stamped.object));
    }

    @Override
    public void add(T object) {
        entries.add(stamped(object));
    }

    @Override
    public void update(T object) {
        entries.update(stamped(object));
    }

    @Override
    public void delete(T object) {
        entries.delete(stamped(object));
    }

    @Override
    public @Nullable T get(T object) {
        return getByKey(KeyException.keyOf(keyOf, object));
    }

    /** Returns what is stored under the key and not too old, or null; drops what is. */
    @Override
    public @Nullable T getByKey(K key) {
        Stamped<T> found = entries.getByKey(key);
        if (found == null) {
            return null;
        }
        if (isExpired(found, nanoTime.getAsLong())) {
            entries.removeSame(Map.of(key, found));
            return null;
        }
        return found.object;
    }

    /** Returns what is not too old, as one consistent snapshot in no particular order; drops what is. O(n); copies. */
    @Override
    public List<T> list() {
        long now = nanoTime.getAsLong();
        List<Stamped<T>> all = entries.list();
        List<T> fresh = new ArrayList<>(all.size());
        Map<K, Stamped<T>> expired = new HashMap<>();
        for (Stamped<T> entry : all) {
            if (isExpired(entry, now)) {
                expired.put(entries.keyOf(entry), entry);
            } else {
                fresh.add(entry.object);
            }
        }
        entries.removeSame(expired);
        return fresh;
    }

    /** Returns every key, those of objects that are too old and were not read since among them. O(n); copies. */
    @Override
    public List<K> listKeys() {
        return entries.listKeys();
    }

    @Override
    public void replace(Collection<? extends T> objects, String resourceVersion) {
        long now = nanoTime.getAsLong();
        List<Stamped<T>> stamped = new ArrayList<>(objects.size());
        for (T object : objects) {
            stamped.add(new Stamped<>(object, now));
        }
        entries.replace(stamped, resourceVersion);
    }

    /** Returns how many objects there are, those that are too old and were not read since among them. */
    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public String resourceVersion() {
        return entries.resourceVersion();
    }

    private Stamped<T> stamped(T object) {
        return new Stamped<>(object, nanoTime.getAsLong());
    }

    private boolean isExpired(Stamped<T> entry, long now) {
        return ttlNanos > 0 && now - entry.writtenAt > ttlNanos;
    }
}
