/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object in one array, because a server keeps millions of small objects: a fourth of the memory of a
 * linked map. Names and short texts that occur often are shared. Immutable. A look-up costs O(members), which is at
 * most {@value #MAX}.
 */
final class MemberMap extends AbstractMap<String, JsonValue> {

    /** Larger objects keep a hash table. */
    private static final int MAX = 16;

    private static final int SHARED = 1 << 12;
    private static final int LONGEST_SHARED = 24;

    // Racy on purpose: strings and texts are immutable, so a reader sees a complete one, whichever it sees.
    private static final String[] NAMES = new String[SHARED];
    private static final JsonString[] TEXTS = new JsonString[SHARED];

    /** Names at even places, each followed by its value. */
    private final Object[] members;

    private MemberMap(Map<String, JsonValue> source) {
        members = new Object[2 * source.size()];
        int at = 0;
        for (Map.Entry<String, JsonValue> member : source.entrySet()) {
            members[at++] = shared(member.getKey());
            members[at++] = member.getValue() instanceof JsonString text ? shared(text) : member.getValue();
        }
    }

    /** Returns an unmodifiable map with these members, in this order; it may be a view. */
    static Map<String, JsonValue> of(Map<String, JsonValue> members) {
        return members.size() <= MAX ? new MemberMap(members) : Collections.unmodifiableMap(members);
    }

    private static String shared(String name) {
        int place = place(name);
        String known = NAMES[place];
        if (name.equals(known)) {
            return known;
        }
        NAMES[place] = name;
        return name;
    }

    private static JsonString shared(JsonString text) {
        if (text.value().length() > LONGEST_SHARED) {
            return text;
        }
        int place = place(text.value());
        JsonString known = TEXTS[place];
        if (text.equals(known)) {
            return known;
        }
        TEXTS[place] = text;
        return text;
    }

    private static int place(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & SHARED - 1;
    }

    @Override
    public int size() {
        return members.length / 2;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return find(name) >= 0;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        int at = find(name);
        return at < 0 ? null : (JsonValue) members[at + 1];
    }

    private int find(@Nullable Object name) {
        for (int i = 0; i < members.length; i += 2) {
            if (members[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super JsonValue> action) {
        for (int i = 0; i < members.length; i += 2) {
            action.accept((String) members[i], (JsonValue) members[i + 1]);
        }
    }

    @Override
    public Set<Map.Entry<String, JsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return MemberMap.this.size();
            }

            @Override
            public Iterator<Map.Entry<String, JsonValue>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, JsonValue>> {

        private int at;

        @Override
        public boolean hasNext() {
            return at < members.length;
        }

        @Override
        public Map.Entry<String, JsonValue> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<String, JsonValue> entry = Map.entry((String) members[at], (JsonValue) members[at + 1]);
            at += 2;
            return entry;
        }
    }
}
