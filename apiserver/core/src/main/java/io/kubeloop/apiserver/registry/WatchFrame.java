/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.SharedForms;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One event of a watch. All watches share the encoded forms of the event. Confined to the thread that reads the watch.
 */
public final class WatchFrame {

    /** The type of the event that reports a failed watch; its object is a {@code Status}. */
    public static final String ERROR = "ERROR";

    /** The type of the event that reports only a resource version. */
    public static final String BOOKMARK = "BOOKMARK";

    private final String type;
    private final @Nullable ResourceStore store;
    private final @Nullable StoredObject stored;
    private final SharedForms forms;
    private final long weight;
    private @Nullable JsonObject object;

    private WatchFrame(
            String type,
            @Nullable ResourceStore store,
            @Nullable StoredObject stored,
            SharedForms forms,
            long weight,
            @Nullable JsonObject object) {
        this.type = type;
        this.store = store;
        this.stored = stored;
        this.forms = forms;
        this.weight = weight;
        this.object = object;
    }

    static WatchFrame of(String type, ResourceStore store, StoredObject stored, SharedForms forms, long weight) {
        return new WatchFrame(type, store, stored, forms, weight, null);
    }

    /** Returns an event whose object is not stored: an error or a bookmark. */
    public static WatchFrame of(String type, JsonObject object) {
        return new WatchFrame(type, null, null, new SharedForms(), 0, object);
    }

    /** Returns the same event with another type. */
    public WatchFrame as(String other) {
        return new WatchFrame(other, store, stored, forms, weight, object);
    }

    /** Returns the type, such as {@code ADDED}. */
    public String type() {
        return type;
    }

    /**
     * Returns about how many bytes of memory the objects take that the watch holds with this event; 0 if its object is
     * not stored.
     */
    public long weight() {
        return weight;
    }

    /** Returns the object in the form of the served version. */
    public JsonObject object() {
        JsonObject known = object;
        if (known == null) {
            known = stored == null || store == null ? JsonObject.EMPTY : store.served(stored.tree());
            object = known;
        }
        return known;
    }

    /** The forms of an event differ by its type, by the served version and by the format. */
    private record FormKey(String type, @Nullable ResourceStore store, Object format) {}

    /**
     * Returns the event in a format, which is encoded once for all watches. The array is shared: callers must not
     * modify it.
     *
     * @param format the format; compared with {@code equals}
     * @param encoder encodes this event; must depend on the event and the format only
     */
    public byte[] shared(Object format, Supplier<byte[]> encoder) {
        return forms.get(new FormKey(type, store, format), encoder);
    }

    /** Returns the event in JSON; see {@link #shared}. */
    public byte[] json() {
        return shared("json", this::encodedJson);
    }

    private byte[] encodedJson() {
        byte[] body = stored == null || store == null ? object().toBytes() : store.json(stored);
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[head.length + body.length + 1];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(body, 0, frame, head.length, body.length);
        frame[frame.length - 1] = '}';
        return frame;
    }
}
