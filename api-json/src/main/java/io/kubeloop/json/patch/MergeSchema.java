package io.kubeloop.json.patch;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules for merging the members of one kind of object: lists with a merge key, sets, and lists that are replaced
 * (upstream: the {@code patchStrategy} and {@code patchMergeKey} tags of the API types).
 *
 * <p>The default for all other members: objects are merged member by member, lists are replaced. Immutable.
 */
public final class MergeSchema {

    /** A schema without rules: every list is replaced as a whole. */
    public static final MergeSchema NONE = new MergeSchema(Map.of());

    private final Map<String, Field> fields;

    MergeSchema(Map<String, Field> fields) {
        this.fields = Map.copyOf(fields);
    }

    /** The way in which a member is merged. */
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
     * @param strategy the way in which it is merged
     * @param mergeKey the member that identifies an element of a list; empty for a set of scalars
     * @param retainKeys whether generated patches list all members that remain, so that alternatives replace each other
     * @param schema the schema of the object, or of the elements of the list
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
