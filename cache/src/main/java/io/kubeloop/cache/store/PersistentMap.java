package io.kubeloop.cache.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable hash map that shares most of its nodes with the version before it (a hash array mapped trie).
 *
 * <p>A lookup visits log32(n) nodes. Changes go through a {@link Builder}. It copies each node on the first change, and
 * then writes the copy in place, so a batch of changes costs little more than the same changes of a mutable map.
 *
 * <p>Immutable once built. A map travels between threads only through a volatile field or under a lock, which makes the
 * plain writes of its builder visible.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentMap<K, V> {

    /*
     * A node has up to 32 branches, one per value of 5 bits of the hash. A branch is an entry (its bit is set in
     * entries), or a child node (its bit is set in nodes), never both. slots holds key, value, key, value ... from the
     * front, in the order of their bits, and child nodes from the back. Below the last bits of the hash, a node is a
     * row of entries with equal hashes.
     *
     * A removal keeps the form canonical: a child with one entry left is merged into its parent.
     */

    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;
    private static final int HASH_BITS = 32;
    private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(new Node(0, 0, new Object[0], null), 0);

    private final Node root;
    private final int size;

    private PersistentMap(Node root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // the empty map holds no values
    static <K, V> PersistentMap<K, V> empty() {
        return (PersistentMap<K, V>) EMPTY;
    }

    public int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // entries are stored with their types
    @Nullable
    public V get(K key) {
        return (V) find(root, key);
    }

    /** Returns the values in no particular order, as an immutable list. O(n). */
    @SuppressWarnings("unchecked") // entries are stored with their types
    public List<V> values() {
        return (List<V>) elements(1);
    }

    /** Returns the keys in no particular order, as an immutable list. O(n). */
    @SuppressWarnings("unchecked") // entries are stored with their types
    List<K> keys() {
        return (List<K>) elements(0);
    }

    /** Calls the action with every entry, in no particular order. O(n). */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        forEach(root, 0, action);
    }

    private static <K, V> void forEach(Node node, int shift, BiConsumer<? super K, ? super V> action) {
        forEachBut(0, node, shift, action);
    }

    /** Receives one difference between two versions of a map; one of the values may be null. */
    interface Change<K, V> {
        void accept(K key, @Nullable V before, @Nullable V after);
    }

    /**
     * Calls the action with every key whose value is a different object in the other map, in no particular order. Skips
     * the nodes that both maps share: O(d log n) for d changes.
     */
    void forEachChangeSince(PersistentMap<K, V> before, Change<? super K, ? super V> action) {
        forEachChange(before.root, root, 0, action);
    }

    private static <K, V> void forEachChange(Node before, Node after, int shift, Change<? super K, ? super V> action) {
        if (before == after) {
            return;
        }
        int common = shift < HASH_BITS ? before.nodes & after.nodes : 0;
        for (int rest = common; rest != 0; rest &= rest - 1) {
            int bit = Integer.lowestOneBit(rest);
            forEachChange(before.child(bit), after.child(bit), shift + BITS, action);
        }
        PersistentMap.<K, V>forEachBut(common, before, shift, (key, value) -> {
            @SuppressWarnings("unchecked") // entries are stored with their types
            V now = (V) find(after, shift, key);
            if (now != value) {
                action.accept(key, value, now);
            }
        });
        PersistentMap.<K, V>forEachBut(common, after, shift, (key, value) -> {
            if (find(before, shift, key) == null) {
                action.accept(key, null, value);
            }
        });
    }

    /** Calls the action with every entry except those in the children with these bits. */
    @SuppressWarnings("unchecked") // entries are stored with their types
    private static <K, V> void forEachBut(int bits, Node node, int shift, BiConsumer<? super K, ? super V> action) {
        int entriesEnd = node.entriesEnd(shift);
        for (int i = 0; i < entriesEnd; i += 2) {
            action.accept((K) node.slots[i], (V) node.slots[i + 1]);
        }
        for (int rest = node.nodes & ~bits; rest != 0; rest &= rest - 1) {
            forEach(node.child(Integer.lowestOneBit(rest)), shift + BITS, action);
        }
    }

    private List<?> elements(int offset) {
        Object[] found = new Object[size];
        fill(root, 0, offset, found, 0);
        return Collections.unmodifiableList(Arrays.asList(found));
    }

    /** Returns a builder that starts with the content of this map. This map does not change. */
    Builder<K, V> toBuilder() {
        return new Builder<>(root, size);
    }

    /**
     * Spreads the bits of the hash. The trie uses the low bits first, and the low bits of string hashes differ least.
     */
    private static int hash(Object key) {
        int h = key.hashCode() * 0x9E3779B9;
        return h ^ (h >>> 15);
    }

    private static @Nullable Object find(Node root, Object key) {
        return find(root, 0, key);
    }

    /** Finds a key below a node on its path. */
    private static @Nullable Object find(Node from, int fromShift, Object key) {
        int hash = hash(key);
        Node node = from;
        for (int shift = fromShift; shift < HASH_BITS; shift += BITS) {
            int bit = bit(hash, shift);
            if ((node.entries & bit) != 0) {
                int at = node.entryAt(bit);
                return node.slots[at].equals(key) ? node.slots[at + 1] : null;
            }
            if ((node.nodes & bit) == 0) {
                return null;
            }
            node = node.child(bit);
        }
        int at = rowIndex(node, key);
        return at < 0 ? null : node.slots[at + 1];
    }

    private static int fill(Node node, int shift, int offset, Object[] out, int from) {
        int next = from;
        int entriesEnd = node.entriesEnd(shift);
        for (int i = offset; i < entriesEnd; i += 2) {
            out[next++] = node.slots[i];
        }
        for (int i = entriesEnd; i < node.slots.length; i++) {
            next = fill((Node) node.slots[i], shift + BITS, offset, out, next);
        }
        return next;
    }

    private static int bit(int hash, int shift) {
        return 1 << ((hash >>> shift) & MASK);
    }

    private static int rowIndex(Node row, Object key) {
        for (int i = 0; i < row.slots.length; i += 2) {
            if (row.slots[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }

    /** A node. Only the builder whose token it carries writes it, and no longer after that builder has built a map. */
    private static final class Node {

        int entries;
        int nodes;
        Object[] slots;
        final @Nullable Object owner;

        Node(int entries, int nodes, Object[] slots, @Nullable Object owner) {
            this.entries = entries;
            this.nodes = nodes;
            this.slots = slots;
            this.owner = owner;
        }

        int entriesEnd(int shift) {
            return shift < HASH_BITS ? 2 * Integer.bitCount(entries) : slots.length;
        }

        int entryAt(int bit) {
            return 2 * Integer.bitCount(entries & (bit - 1));
        }

        int childAt(int bit) {
            return slots.length - 1 - Integer.bitCount(nodes & (bit - 1));
        }

        Node child(int bit) {
            return (Node) slots[childAt(bit)];
        }

        boolean isSingleEntry() {
            return slots.length == 2 && nodes == 0;
        }
    }

    /**
     * Builds the next version of a map. Not thread-safe. It can be used again after {@link #build()}.
     *
     * @param <K> the type of the keys
     * @param <V> the type of the values
     */
    static final class Builder<K, V> {

        /** Marks the nodes that only this builder can reach; null until the first change after a build. */
        private @Nullable Object token;

        private Node root;
        private int size;
        private @Nullable Object previous;

        private Builder(Node root, int size) {
            this.root = root;
            this.size = size;
        }

        public int size() {
            return size;
        }

        @SuppressWarnings("unchecked") // entries are stored with their types
        @Nullable
        public V get(K key) {
            return (V) find(root, key);
        }

        /**
         * Sets the value of the key, and keeps an equal key that is already there. Returns the value before, or null.
         */
        @Nullable
        V put(K key, V value) {
            previous = null;
            own();
            root = put(root, 0, hash(key), key, value);
            if (previous == null) {
                size++;
            }
            return previous();
        }

        /** Removes the key. Returns the value before, or null. */
        @Nullable
        V remove(K key) {
            previous = null;
            own();
            root = remove(root, 0, hash(key), key);
            if (previous != null) {
                size--;
            }
            return previous();
        }

        /** Returns the current content. Later changes of this builder copy the nodes of the returned map first. */
        PersistentMap<K, V> build() {
            token = null;
            return size == 0 ? empty() : new PersistentMap<>(root, size);
        }

        private void own() {
            if (token == null) {
                token = new Object();
            }
        }

        @SuppressWarnings("unchecked") // entries are stored with their types
        private @Nullable V previous() {
            V value = (V) previous;
            previous = null;
            return value;
        }

        private Node put(Node node, int shift, int hash, Object key, Object value) {
            if (shift >= HASH_BITS) {
                return putInRow(node, key, value);
            }
            int bit = bit(hash, shift);
            if ((node.nodes & bit) != 0) {
                int at = node.childAt(bit);
                Node below = (Node) node.slots[at];
                Node changed = put(below, shift + BITS, hash, key, value);
                return changed == below ? node : set(node, at, changed);
            }
            int at = node.entryAt(bit);
            if ((node.entries & bit) == 0) {
                return resize(node, node.entries | bit, node.nodes, insertPair(node.slots, at, key, value));
            }
            Object present = node.slots[at];
            if (present.equals(key)) {
                previous = node.slots[at + 1];
                return set(node, at + 1, value);
            }
            Node below = pair(shift + BITS, present, node.slots[at + 1], hash, key, value);
            int entries = node.entries ^ bit;
            int nodes = node.nodes | bit;
            Object[] slots = new Object[node.slots.length - 1];
            int child = slots.length - 1 - Integer.bitCount(nodes & (bit - 1));
            System.arraycopy(node.slots, 0, slots, 0, at);
            System.arraycopy(node.slots, at + 2, slots, at, child - at);
            slots[child] = below;
            System.arraycopy(node.slots, child + 2, slots, child + 1, slots.length - child - 1);
            return resize(node, entries, nodes, slots);
        }

        /** Returns a node for two entries whose hashes share the bits above. */
        private Node pair(int shift, Object key1, Object value1, int hash2, Object key2, Object value2) {
            if (shift >= HASH_BITS) {
                return new Node(0, 0, new Object[] {key1, value1, key2, value2}, token);
            }
            int bit1 = bit(hash(key1), shift);
            int bit2 = bit(hash2, shift);
            if (bit1 == bit2) {
                Node below = pair(shift + BITS, key1, value1, hash2, key2, value2);
                return new Node(0, bit1, new Object[] {below}, token);
            }
            Object[] slots = Integer.compareUnsigned(bit1, bit2) < 0
                    ? new Object[] {key1, value1, key2, value2}
                    : new Object[] {key2, value2, key1, value1};
            return new Node(bit1 | bit2, 0, slots, token);
        }

        private Node putInRow(Node row, Object key, Object value) {
            int at = rowIndex(row, key);
            if (at < 0) {
                return resize(row, 0, 0, insertPair(row.slots, row.slots.length, key, value));
            }
            previous = row.slots[at + 1];
            return set(row, at + 1, value);
        }

        private Node remove(Node node, int shift, int hash, Object key) {
            if (shift >= HASH_BITS) {
                int at = rowIndex(node, key);
                return at < 0 ? node : dropPair(node, at, 0);
            }
            int bit = bit(hash, shift);
            if ((node.entries & bit) != 0) {
                int at = node.entryAt(bit);
                return node.slots[at].equals(key) ? dropPair(node, at, node.entries ^ bit) : node;
            }
            if ((node.nodes & bit) == 0) {
                return node;
            }
            int at = node.childAt(bit);
            Node below = (Node) node.slots[at];
            Node changed = remove(below, shift + BITS, hash, key);
            if (previous != null && changed.isSingleEntry()) {
                return drawUp(node, bit, at, changed);
            }
            return changed == below ? node : set(node, at, changed);
        }

        private Node dropPair(Node node, int at, int entries) {
            previous = node.slots[at + 1];
            Object[] slots = new Object[node.slots.length - 2];
            System.arraycopy(node.slots, 0, slots, 0, at);
            System.arraycopy(node.slots, at + 2, slots, at, slots.length - at);
            return resize(node, entries, node.nodes, slots);
        }

        /** Replaces the child in this slot by its only entry. */
        private Node drawUp(Node node, int bit, int child, Node single) {
            int at = node.entryAt(bit);
            Object[] slots = new Object[node.slots.length + 1];
            System.arraycopy(node.slots, 0, slots, 0, at);
            slots[at] = single.slots[0];
            slots[at + 1] = single.slots[1];
            System.arraycopy(node.slots, at, slots, at + 2, child - at);
            System.arraycopy(node.slots, child + 1, slots, child + 2, node.slots.length - child - 1);
            return resize(node, node.entries | bit, node.nodes ^ bit, slots);
        }

        private Node set(Node node, int at, Object content) {
            if (node.owner == token) {
                node.slots[at] = content;
                return node;
            }
            Object[] slots = node.slots.clone();
            slots[at] = content;
            return new Node(node.entries, node.nodes, slots, token);
        }

        private Node resize(Node node, int entries, int nodes, Object[] slots) {
            if (node.owner == token) {
                node.entries = entries;
                node.nodes = nodes;
                node.slots = slots;
                return node;
            }
            return new Node(entries, nodes, slots, token);
        }

        private static Object[] insertPair(Object[] slots, int at, Object key, Object value) {
            Object[] wider = new Object[slots.length + 2];
            System.arraycopy(slots, 0, wider, 0, at);
            wider[at] = Objects.requireNonNull(key, "key");
            wider[at + 1] = Objects.requireNonNull(value, "value");
            System.arraycopy(slots, at, wider, at + 2, slots.length - at);
            return wider;
        }
    }
}
