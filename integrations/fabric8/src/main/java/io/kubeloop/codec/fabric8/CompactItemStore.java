/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.kubeloop.json.ForeignModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the objects of an informer of fabric8 as compressed JSON, and decodes an object when it is read. The objects
 * share what they have in common. The Java Operator SDK takes it with {@code withItemStore}:
 *
 * <pre>{@code
 * operator.register(new SiteReconciler(), settings -> settings.withItemStore(new CompactItemStore<>(Site.class)));
 * }</pre>
 *
 * <p>The objects that were stored or read last are kept decoded. Any other read returns a new object. Like the store of
 * fabric8, this one may return the same object twice: change a copy. Each informer needs a store of its own.
 * Thread-safe; no method blocks.
 *
 * <p>Bounds: beside the compressed objects, the store holds the given number of decoded objects, and at most 32 KiB for
 * each doubling of the number of objects stored since its creation.
 */
public final class CompactItemStore<V extends HasMetadata> implements ItemStore<V> {

    private static final int DECODED = 128;

    private record Decoded<V>(CompressedJson json, V value) {}

    private final Class<V> type;
    private final ForeignModel model = Fabric8Codec.model();
    private final JsonCompressor compressor = new JsonCompressor();
    private final Map<String, CompressedJson> objects = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Decoded<V>> decoded;

    /** Creates a store that keeps up to 128 objects decoded. */
    public CompactItemStore(Class<V> type) {
        this(type, DECODED);
    }

    /**
     * Creates a store.
     *
     * @param type the class of the objects; not a superclass
     * @param decoded the largest number of objects to keep decoded, at least 1
     */
    public CompactItemStore(Class<V> type, int decoded) {
        if (decoded < 1) {
            throw new IllegalArgumentException("Cannot keep " + decoded + " objects decoded: 1 is the least");
        }
        this.type = type;
        this.decoded = new AtomicReferenceArray<>(decoded);
    }

    /** Returns namespace and name of the object, as the informers of fabric8 and the Java Operator SDK name it. */
    @Override
    public String getKey(V object) {
        return Cache.metaNamespaceKeyFunc(object);
    }

    @Override
    public @Nullable V put(String key, V object) {
        CompressedJson json = compressor.compress(write(object));
        CompressedJson before = objects.put(key, json);
        V old = before == null ? null : value(key, before);
        decoded.set(slot(key), new Decoded<>(json, object));
        return old;
    }

    @Override
    public @Nullable V remove(String key) {
        CompressedJson before = objects.remove(key);
        if (before == null) {
            return null;
        }
        V old = value(key, before);
        decoded.set(slot(key), null);
        return old;
    }

    /** Returns the object, or null. An object that is not decoded costs the time to decode its JSON. */
    @Override
    public @Nullable V get(String key) {
        CompressedJson json = objects.get(key);
        if (json == null) {
            return null;
        }
        V value = value(key, json);
        decoded.set(slot(key), new Decoded<>(json, value));
        return value;
    }

    @Override
    public Stream<String> keySet() {
        return objects.keySet().stream();
    }

    /** Returns all objects. The stream decodes them one by one. */
    @Override
    public Stream<V> values() {
        return objects.entrySet().stream().map(entry -> value(entry.getKey(), entry.getValue()));
    }

    @Override
    public int size() {
        return objects.size();
    }

    private int slot(String key) {
        return Math.floorMod(key.hashCode(), decoded.length());
    }

    private V value(String key, CompressedJson json) {
        Decoded<V> kept = decoded.get(slot(key));
        if (kept != null && kept.json() == json) {
            return kept.value();
        }
        byte[] bytes = json.toBytes();
        try {
            return Objects.requireNonNull(model.read(bytes, 0, bytes.length, type));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the stored " + type.getSimpleName() + " " + key, e);
        }
    }

    private byte[] write(V object) {
        if (object.getClass() != type) {
            throw new IllegalArgumentException(
                    "Cannot store a " + object.getClass().getName() + " in a store of " + type.getName());
        }
        try {
            return model.write(object);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + getKey(object), e);
        }
    }
}
