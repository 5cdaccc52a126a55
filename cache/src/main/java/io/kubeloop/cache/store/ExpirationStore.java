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
 * A store that drops objects that have not been written for a while (upstream: {@code cache.ExpirationCache}).
 *
 * <p>Nothing runs in the background: a read of an expired object, or of the list, drops it. Until then it uses memory,
 * and {@link #size()} and {@link #listKeys()} count it. Each write restarts the time of its object; a read does not.
 *
 * <p>Thread-safe without locks, as is the {@link ThreadSafeStore} below it. Upstream takes an exclusive lock to drop
 * expired objects. Here a reader removes exactly the entry that it found expired, and leaves an entry that was written
 * meanwhile.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the objects
 */
public final class ExpirationStore<K extends Comparable<? super K>, T> implements Store<K, T> {

    /*
     * Invariants:
     *   X1  A reader drops only the entry that it found expired, not the key. So no later write is lost.
     *   X2  All objects of one replace carry the same time: they expire together.
     *
     * There is no lock. Any thread may call any method. The key and version functions and the clock run on the caller's
     * thread.
     */

    /** An object and the time of its write. Compared by identity: two writes of one object are two entries (X1). */
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
     * @param ttl age at which an object expires; zero or less for never
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
     * @param ttl age at which an object expires; zero or less for never
     * @param nanoTime a monotonic clock in nanoseconds
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

    /** Returns the stored object unless it has expired, or null. Drops an expired object. */
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

    /**
     * Returns the objects that have not expired, as one consistent snapshot in no particular order. Drops expired
     * objects. O(n); copies.
     */
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

    /** Returns all keys, including those of expired objects that no read has dropped. O(n); copies. */
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

    /** Returns the number of objects, including expired objects that no read has dropped. */
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
