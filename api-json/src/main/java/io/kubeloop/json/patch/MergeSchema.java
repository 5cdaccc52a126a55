package io.kubeloop.json.patch;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the members of one kind of object are merged: which lists have a merge key, which are sets, which are replaced
 * (upstream: the {@code patchStrategy} and {@code patchMergeKey} tags of the API types).
 *
 * <p>What is not named here has the default: objects are merged member by member, lists are replaced. Immutable.
 */
public final class MergeSchema {

    /** A schema that names nothing: every list is replaced as a whole. */
    public static final MergeSchema NONE = new MergeSchema(Map.of());

    private final Map<String, Field> fields;

    MergeSchema(Map<String, Field> fields) {
        this.fields = Map.copyOf(fields);
    }

    /** What happens to a member. */
    enum Strategy {
        /** Objects are merged, lists are replaced. */
        DEFAULT,
        /** Lists are merged by key, or as sets if they have none. */
        MERGE,
        /** Objects are replaced. */
        REPLACE
    }

    /**
     * One member.
     *
     * @param strategy what happens to it
     * @param mergeKey the member that identifies an element of a list; empty for a set of scalars
     * @param retainKeys whether made patches name all members that shall remain, so that alternatives replace each other
     * @param schema of the object, or of the list's elements
     */
    record Field(Strategy strategy, String mergeKey, boolean retainKeys, MergeSchema schema) {

        private static final Field UNKNOWN = new Field(Strategy.DEFAULT, "", false, NONE);
    }

    /**
     * Returns the schema of a built-in kind, {@link #NONE} for any other.
     *
     * @param group the API group; empty for the core group
     * @param kind the kind, such as {@code Pod}
     */
    public static MergeSchema of(String group, String kind) {
        return BuiltInSchemas.of(group, kind);
    }

    Field field(String name) {
        @Nullable Field field = fields.get(name);
        return field == null ? Field.UNKNOWN : field;
    }
}
