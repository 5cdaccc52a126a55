package io.kubeloop.json.schema;

import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A type with named fields, such as {@code Pod} or {@code Container}.
 *
 * <p>Types refer to each other in circles, so that the fields are supplied on first use. Thread-safe: the supplier must
 * return the same fields to every thread.
 */
public final class StructSchema implements TypeSchema {

    private final String name;
    private final boolean atomic;
    private final @Nullable TypeSchema others;
    private final Supplier<Map<String, Field>> fields;

    /**
     * A field of a struct.
     *
     * @param name its JSON name
     * @param type the type of its value
     * @param required whether an object without it is invalid
     * @param initial the default of an omitted field; null for none
     * @param allowed the values that a string may have; empty for any
     * @param patch how a strategic merge patch changes the field
     * @param number its number in protocol buffers; 0 for types without this form
     */
    public record Field(
            String name,
            TypeSchema type,
            boolean required,
            @Nullable JsonValue initial,
            List<String> allowed,
            PatchStrategy patch,
            int number) {

        /** Copies the allowed values. */
        public Field {
            allowed = List.copyOf(allowed);
        }
    }

    /**
     * How a strategic merge patch changes a field (upstream: {@code x-kubernetes-patch-strategy} and {@code
     * x-kubernetes-patch-merge-key}).
     *
     * @param strategies {@code merge}, {@code replace} and {@code retainKeys}; empty for the default, which merges objects
     *     and replaces lists
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
     * @param fields supplies the fields in the order of their names
     */
    public StructSchema(String name, boolean atomic, @Nullable TypeSchema others, Supplier<Map<String, Field>> fields) {
        this.name = name;
        this.atomic = atomic;
        this.others = others;
        this.fields = fields;
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
        return fields.get();
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
