/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A type with named fields, such as {@code Pod} or {@code Container}.
 *
 * <p>Types refer to each other in circles, so the fields are supplied on first use. Thread-safe: threads that need
 * the fields at the same time may all call the supplier, and then share the fields of the first that is done.
 */
public final class StructSchema implements TypeSchema {

    private final String name;
    private final boolean atomic;
    private final @Nullable TypeSchema others;
    private final Supplier<Map<String, Field>> supplier;

    /** The supplied fields. Set once, under this object's lock. */
    private final AtomicReference<@Nullable Map<String, Field>> fields = new AtomicReference<>();

    /**
     * A field of a struct.
     *
     * @param name its JSON name
     * @param type the type of its value
     * @param required whether an object without it is invalid
     * @param initial the default of an omitted field; null for none
     * @param allowed the values that a string, or each string of a list or a map, may have; empty for any
     * @param patch how a strategic merge patch changes the field
     * @param go how Go declares the field
     */
    public record Field(
            String name,
            TypeSchema type,
            boolean required,
            @Nullable JsonValue initial,
            List<String> allowed,
            PatchStrategy patch,
            GoField go) {

        /** Copies the allowed values. */
        public Field {
            allowed = List.copyOf(allowed);
        }

        /** Creates a field of a type that has no Go struct, such as that of a custom resource. */
        public Field(
                String name,
                TypeSchema type,
                boolean required,
                @Nullable JsonValue initial,
                List<String> allowed,
                PatchStrategy patch) {
            this(name, type, required, initial, allowed, patch, GoField.NONE);
        }
    }

    /**
     * The declaration of a field in Go. The declaration decides the form in protocol buffers and which zero values JSON
     * omits.
     *
     * @param path the number of the field in protocol buffers, after the numbers of the messages around it that JSON
     *     inlines; empty for a field without this form
     * @param embedded the names of the Go fields around it that JSON inlines, which error messages show
     * @param pointer whether an absent value and a zero value differ
     * @param omitsEmpty whether JSON omits a zero value that is no struct (Go: {@code omitempty})
     * @param omitsZero whether JSON omits a zero value of any type (Go: {@code omitzero})
     * @param wrapped whether protocol buffers put the list, or each list of a map, into a message of its own
     * @param type the name of the type, such as {@code v1.ResourceList}; empty if {@link GoTypes} derives it from the
     *     schema
     */
    public record GoField(
            List<Integer> path,
            List<String> embedded,
            boolean pointer,
            boolean omitsEmpty,
            boolean omitsZero,
            boolean wrapped,
            String type) {

        /** The declaration of a field that no Go struct has. */
        public static final GoField NONE = new GoField(List.of(), List.of(), true, true, false, false, "");

        /** Copies the lists. */
        public GoField {
            path = List.copyOf(path);
            embedded = List.copyOf(embedded);
        }
    }

    /**
     * How a strategic merge patch changes a field (upstream: {@code x-kubernetes-patch-strategy} and {@code
     * x-kubernetes-patch-merge-key}).
     *
     * @param strategies {@code merge}, {@code replace} and {@code retainKeys}; empty for the default, which merges
     *     objects and replaces lists
     * @param mergeKey the field that identifies an element of a merged list; empty for a list of scalars
     */
    public record PatchStrategy(List<String> strategies, String mergeKey) {

        /** The strategy of most fields. */
        public static final PatchStrategy DEFAULT = new PatchStrategy(List.of(), "");

        /** Copies the strategies. */
        public PatchStrategy {
            strategies = List.copyOf(strategies);
        }
    }

    /**
     * Creates a struct.
     *
     * @param name the name of the type, such as {@code core.v1.Pod}; empty for an anonymous type of a custom resource
     * @param atomic whether an apply owns and replaces the struct as a whole
     * @param others the type of members that are not fields; null if such members are unknown fields
     * @param supplier supplies the fields in the order in which documents list them
     */
    public StructSchema(
            String name, boolean atomic, @Nullable TypeSchema others, Supplier<Map<String, Field>> supplier) {
        this.name = name;
        this.atomic = atomic;
        this.others = others;
        this.supplier = supplier;
    }

    /** Returns the name of the type; empty for an anonymous type. */
    public String name() {
        return name;
    }

    /** Returns whether an apply owns and replaces the struct as a whole. */
    public boolean atomic() {
        return atomic;
    }

    /** Returns the type of members that are not fields; null if such members are unknown fields. */
    public @Nullable TypeSchema others() {
        return others;
    }

    /** Returns the fields by name, in order. */
    public Map<String, Field> fields() {
        Map<String, Field> present = fields.get();
        if (present != null) {
            return present;
        }
        Map<String, Field> supplied = supplier.get();
        Map<String, Field> earlier = fields.compareAndExchange(null, supplied);
        return earlier == null ? supplied : earlier;
    }

    /** Returns the same type with another answer to {@link #atomic()}. */
    StructSchema withAtomic(boolean isAtomic) {
        return isAtomic == atomic ? this : new StructSchema(name, isAtomic, others, this::fields);
    }

    /** Returns the field of this name, or null. */
    public @Nullable Field field(String name) {
        return fields().get(name);
    }

    @Override
    public String toString() {
        return name.isEmpty() ? "struct" : name;
    }
}
