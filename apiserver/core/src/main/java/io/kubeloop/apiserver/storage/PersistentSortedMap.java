/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map: adding and removing return a new map that shares all but O(log n) nodes with the old map
 * (an AVL tree with path copying).
 *
 * <p>The sharing makes old states cheap to keep. A list in several pages and a list at an earlier version read the
 * map of their version while writers continue. Thread-safe, because it is immutable.
 *
 * @param <V> the type of the values
 */
public final class PersistentSortedMap<V> {

    private static final PersistentSortedMap<?> EMPTY = new PersistentSortedMap<>(null);

    private final @Nullable Node<V> root;

    private PersistentSortedMap(@Nullable Node<V> root) {
        this.root = root;
    }

    /** Returns the empty map. */
    @SuppressWarnings("unchecked")
    public static <V> PersistentSortedMap<V> empty() {
        return (PersistentSortedMap<V>) EMPTY;
    }

    /** Returns the number of values. */
    public int size() {
        return size(root);
    }

    /** Returns the value of a key, or null. O(log n). */
    public @Nullable V get(String key) {
        Node<V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** Returns the map with this key set. O(log n). */
    public PersistentSortedMap<V> with(String key, V value) {
        return new PersistentSortedMap<>(insert(root, key, value));
    }

    /** Returns the map without this key. O(log n). */
    public PersistentSortedMap<V> without(String key) {
        return get(key) == null ? this : new PersistentSortedMap<>(remove(Objects.requireNonNull(root), key));
    }

    /** Returns the number of keys that sort before this key. O(log n). */
    public int rank(String key) {
        int before = 0;
        Node<V> node = root;
        while (node != null) {
            if (key.compareTo(node.key) <= 0) {
                node = node.left;
            } else {
                before += size(node.left) + 1;
                node = node.right;
            }
        }
        return before;
    }

    /**
     * Iterates over the values in the order of their keys.
     *
     * @param from the first key, inclusive; need not exist
     * @param until the end of the range, exclusive; null for none
     */
    public Iterator<V> range(String from, @Nullable String until) {
        return new RangeIterator<>(root, from, until);
    }

    private static <V> Node<V> insert(@Nullable Node<V> node, String key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(key, value, node.left, node.right);
        }
        return order < 0
                ? balance(node, insert(node.left, key, value), node.right)
                : balance(node, node.left, insert(node.right, key, value));
    }

    /** The key must be present. */
    private static <V> @Nullable Node<V> remove(Node<V> node, String key) {
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balance(node, remove(Objects.requireNonNull(node.left), key), node.right);
        }
        if (order > 0) {
            return balance(node, node.left, remove(Objects.requireNonNull(node.right), key));
        }
        if (node.left == null || node.right == null) {
            return node.left == null ? node.right : node.left;
        }
        Node<V> next = node.right;
        while (next.left != null) {
            next = next.left;
        }
        return balance(next, node.left, remove(node.right, next.key));
    }

    /** Returns a balanced tree of this node's entry between two subtrees whose heights differ by at most 2. */
    private static <V> Node<V> balance(Node<V> entry, @Nullable Node<V> left, @Nullable Node<V> right) {
        int tilt = height(left) - height(right);
        if (tilt > 1) {
            Node<V> l = Objects.requireNonNull(left);
            if (height(l.left) >= height(l.right)) {
                return node(l, l.left, node(entry, l.right, right));
            }
            Node<V> middle = Objects.requireNonNull(l.right);
            return node(middle, node(l, l.left, middle.left), node(entry, middle.right, right));
        }
        if (tilt < -1) {
            Node<V> r = Objects.requireNonNull(right);
            if (height(r.right) >= height(r.left)) {
                return node(r, node(entry, left, r.left), r.right);
            }
            Node<V> middle = Objects.requireNonNull(r.left);
            return node(middle, node(entry, left, middle.left), node(r, middle.right, r.right));
        }
        return node(entry, left, right);
    }

    private static <V> Node<V> node(Node<V> entry, @Nullable Node<V> left, @Nullable Node<V> right) {
        return new Node<>(entry.key, entry.value, left, right);
    }

    private static int height(@Nullable Node<?> node) {
        return node == null ? 0 : node.height;
    }

    private static int size(@Nullable Node<?> node) {
        return node == null ? 0 : node.size;
    }

    private static final class Node<V> {

        final String key;
        final V value;
        final @Nullable Node<V> left;
        final @Nullable Node<V> right;
        final int height;
        final int size;

        Node(String key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.height = 1 + Math.max(height(left), height(right));
            this.size = 1 + size(left) + size(right);
        }
    }

    /** Walks the range in order; the stack holds the nodes whose left subtrees are done. Confined to one thread. */
    private static final class RangeIterator<V> implements Iterator<V> {

        private final Deque<Node<V>> path = new ArrayDeque<>();
        private final @Nullable String until;

        RangeIterator(@Nullable Node<V> root, String from, @Nullable String until) {
            this.until = until;
            Node<V> node = root;
            while (node != null) {
                if (from.compareTo(node.key) <= 0) {
                    path.push(node);
                    node = node.left;
                } else {
                    node = node.right;
                }
            }
        }

        @Override
        public boolean hasNext() {
            Node<V> node = path.peek();
            return node != null && (until == null || node.key.compareTo(until) < 0);
        }

        @Override
        public V next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Node<V> node = path.pop();
            for (Node<V> below = node.right; below != null; below = below.left) {
                path.push(below);
            }
            return node.value;
        }
    }
}
