package io.kubeloop.transport.memory.machinery;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is special about one kind: defaults, what a client may write where, what is valid (upstream: the {@code strategy.go}
 * of each resource in {@code pkg/registry}).
 *
 * <p>Implementations are stateless. Each method gets whole objects and returns what they become.
 */
public interface RestStrategy {

    /** The subresource, or the object itself, that a write goes to. */
    enum Part {
        /** The object. */
        MAIN,
        /** Its status. */
        STATUS,
        /** A namespace's finalizers. */
        FINALIZE,
        /** The node of a pod. */
        BINDING,
        /** The containers that are added to a pod that exists. */
        EPHEMERAL_CONTAINERS
    }

    /** Fills in what the client has left out; applied to every object that comes in. */
    default JsonObject defaults(JsonObject object) {
        return object;
    }

    /** Removes what a client may not set at creation, and sets what the server sets. */
    default JsonObject prepareForCreate(JsonObject object) {
        return hasStatus() ? object.without("status") : object;
    }

    /** Takes from the old object what this part of the object does not let a client change. */
    default JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return hasStatus() ? StatusParts.keepOther(object, old, part) : object;
    }

    /** Reports what is wrong with an object. */
    default void validate(JsonObject object, FieldErrors errors) {}

    /** Reports what is wrong with an object that is to be created, beyond what would be wrong with one that is there. */
    default void validateCreate(JsonObject object, FieldErrors errors) {}

    /** Reports what is wrong with a change. */
    default void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {}

    /** Complains about a name, or about the prefix of a name that is to be generated. */
    default List<String> checkName(String name, boolean prefix) {
        return Names.dns1123Subdomain(name, prefix);
    }

    /** Returns the fields that selectors can ask for, beside name and namespace. */
    default Map<String, String> fields(JsonObject object) {
        return Map.of();
    }

    /** Returns the names of those fields. */
    default List<String> fieldNames() {
        return List.of();
    }

    /** Returns whether the status is a part of its own. */
    default boolean hasStatus() {
        return false;
    }

    /** Returns whether changes are counted in {@code metadata.generation}. */
    default boolean hasGeneration() {
        return false;
    }

    /** Returns the part of an object whose changes are counted: its spec. */
    default JsonObject counted(JsonObject object) {
        return object.object("spec");
    }

    /** Returns whether an update of an absent object creates it. */
    default boolean createsOnUpdate() {
        return false;
    }

    /** Returns whether an update must say which version it changes. */
    default boolean requiresVersionOnUpdate() {
        return false;
    }

    /** Returns the seconds that an object is given to end when the client has not said how many; -1 if it needs none. */
    default long gracePeriodSeconds(JsonObject object) {
        return -1;
    }

    /** Returns whether the dependents of a deleted object are orphaned unless the client says otherwise. */
    default boolean orphansByDefault() {
        return false;
    }

    /** Returns whether a deletion answers with the object rather than with a status. */
    default boolean returnsDeletedObject() {
        return false;
    }

    /** Returns whether an object ends without being given time, whatever the client says. */
    default boolean endsAtOnce(JsonObject object) {
        return false;
    }

    /** Returns whether a terminating object is kept by something other than its finalizers. */
    default boolean isHeld(JsonObject object) {
        return false;
    }

    /** Returns the object with what else changes when its deletion begins. */
    default JsonObject terminating(JsonObject object) {
        return object;
    }

    /** Refuses, with {@link ApiFailure}, to delete an object that must stay. */
    default void checkDelete(ServedResource resource, JsonObject object) {}

    /**
     * An object with what it needs from outside of it.
     *
     * @param object the object
     * @param undo gives that back, for an object that is not stored after all
     */
    record Acquisition(JsonObject object, Runnable undo) {}

    /**
     * Takes what the object needs from outside of it, such as an address, and writes it into the object; may refuse with
     * {@link ApiFailure}. Called with the defaulted object, before anything else looks at it, but not for a part of one.
     *
     * @param old the state before; null at creation
     * @param dryRun whether to say what would happen, only
     */
    default Acquisition acquire(JsonObject object, @Nullable JsonObject old, boolean dryRun) {
        return new Acquisition(object, () -> {});
    }

    /**
     * Gives back what an object holds.
     *
     * @param kept the state whose holdings are kept; null if the object is gone
     */
    default void release(JsonObject object, @Nullable JsonObject kept) {}
}
