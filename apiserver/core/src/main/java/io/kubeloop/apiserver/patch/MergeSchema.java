/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.PatchStrategy;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import org.jspecify.annotations.Nullable;

/**
 * The rules for merging the members of one type of object: lists with a merge key, sets, and lists that are replaced
 * (upstream: the {@code patchStrategy} and {@code patchMergeKey} tags of the API types).
 *
 * <p>The default for all other members: objects are merged member by member, lists are replaced. Immutable.
 */
public final class MergeSchema {

    /** A schema without rules: every list is replaced as a whole. */
    public static final MergeSchema NONE = new MergeSchema(null);

    private final @Nullable TypeSchema type;

    private MergeSchema(@Nullable TypeSchema type) {
        this.type = type;
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
     * @param retainKeys whether generated patches list all members that remain, so alternatives replace each other
     * @param schema the schema of the object, or of the elements of the list
     */
    record Field(Strategy strategy, String mergeKey, boolean retainKeys, MergeSchema schema) {

        private static final Field UNKNOWN = new Field(Strategy.DEFAULT, "", false, NONE);
    }

    /**
     * Returns the schema of a built-in kind, {@link #NONE} for any other.
     *
     * @param apiVersion the group and version, such as {@code v1} or {@code apps/v1}
     * @param kind the kind, such as {@code Pod}
     */
    public static MergeSchema of(String apiVersion, String kind) {
        TypeSchema type = TypeCatalog.kubernetes().type(apiVersion, kind);
        return type == null ? NONE : new MergeSchema(type);
    }

    Field field(String name) {
        if (type instanceof TypeSchema.MapOf map) {
            return new Field(Strategy.DEFAULT, "", false, inside(map.values()));
        }
        StructSchema.Field field = type instanceof StructSchema struct ? struct.field(name) : null;
        return field == null ? Field.UNKNOWN : rule(field.patch(), field.type());
    }

    private static Field rule(PatchStrategy patch, TypeSchema type) {
        Strategy strategy = Strategy.DEFAULT;
        if (patch.strategies().contains("merge")) {
            strategy = Strategy.MERGE;
        } else if (patch.strategies().contains("replace")) {
            strategy = Strategy.REPLACE;
        }
        return new Field(strategy, patch.mergeKey(), patch.strategies().contains("retainKeys"), inside(type));
    }

    /** Returns the schema of an object, or of the elements of a list. */
    private static MergeSchema inside(TypeSchema type) {
        TypeSchema inner = type instanceof TypeSchema.ListOf list ? list.elements() : type;
        boolean hasMembers = inner instanceof StructSchema || inner instanceof TypeSchema.MapOf;
        return hasMembers ? new MergeSchema(inner) : NONE;
    }
}
