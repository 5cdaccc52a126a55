/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The behavior that is specific to one kind: defaults, the fields that a client may write, and validation
 * (upstream: the {@code strategy.go} of each resource in {@code pkg/registry}).
 *
 * <p>Implementations are stateless, except for allocators. Each method receives whole objects and returns the
 * resulting objects.
 */
public interface RestStrategy {

    /** The target of a write: the object itself or a subresource. */
    enum Part {
        /** The object itself. */
        MAIN(""),
        /** The status of the object. */
        STATUS("status"),
        /** The finalizers of a namespace. */
        FINALIZE("finalize"),
        /** The node of a pod. */
        BINDING("binding"),
        /** The ephemeral containers of an existing pod. */
        EPHEMERAL_CONTAINERS("ephemeralcontainers"),
        /** The CPU and the memory of an existing pod. */
        RESIZE("resize"),
        /** The conditions of an approval. */
        APPROVAL("approval");

        private final String subresource;

        Part(String subresource) {
            this.subresource = subresource;
        }

        /** Returns the name of the subresource; empty for the object itself. */
        public String subresource() {
            return subresource;
        }
    }

    /** A step in the validation of an update. A step may occur more than once; its errors then have several causes. */
    enum UpdateStep {
        /** Validates the new metadata, with the rule of the kind for names. */
        METADATA,
        /** Validates the change of the metadata. */
        METADATA_CHANGE,
        /** Validates the new object: {@link RestStrategy#validate}. */
        OBJECT,
        /** Validates the change: {@link RestStrategy#validateUpdate}. */
        CHANGE
    }

    /** Sets the defaults of fields that the client omitted. Called for every incoming object. */
    default JsonObject defaults(JsonObject object) {
        return object;
    }

    /**
     * Sets the defaults that contain the time. Called for every incoming object, after {@link #defaults}.
     *
     * @param now returns the time; most kinds do not need it
     */
    default JsonObject timed(JsonObject object, Supplier<String> now) {
        return object;
    }

    /** Removes the fields that a client must not set at creation, and sets the fields that the server owns. */
    default JsonObject prepareForCreate(JsonObject object) {
        return hasStatus() ? object.without("status") : object;
    }

    /** Restores from the old object the fields that a client must not change through this part. */
    default JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return hasStatus() ? StatusParts.keepOther(object, old, part) : object;
    }

    /**
     * The client and the time of a write.
     *
     * @param user the client
     * @param now the time, in the form of the API
     */
    record Origin(UserInfo user, String now) {}

    /**
     * Sets the fields that contain the client or the time of a write. Called before validation.
     *
     * @param old the state before; null at creation
     */
    default JsonObject signed(JsonObject object, @Nullable JsonObject old, Part part, Origin origin) {
        return object;
    }

    /**
     * Validates what depends on the labels of the object's namespace, before all other rules.
     *
     * @param old the state before; null at creation
     * @param labels reads the labels; empty for an object without a namespace
     */
    default void validateIn(
            Supplier<Map<String, String>> labels,
            JsonObject object,
            @Nullable JsonObject old,
            Part part,
            FieldErrors errors) {}

    /** Validates an object. */
    default void validate(JsonObject object, FieldErrors errors) {}

    /** Validates an object that is about to be created, in addition to {@link #validate}. */
    default void validateCreate(JsonObject object, FieldErrors errors) {}

    /** Validates a change. */
    default void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {}

    /**
     * Returns the steps that validate an update of this part, in order. The registry runs the first two steps for every
     * kind before; upstream's kinds repeat them in different ways, and each repetition adds its causes to the error.
     */
    default List<UpdateStep> updateSteps(Part part) {
        return List.of(UpdateStep.METADATA_CHANGE, UpdateStep.OBJECT, UpdateStep.CHANGE);
    }

    /**
     * Returns whether upstream declares rules beside the type of the kind. It then reports each error once, even if two
     * steps find it.
     */
    default boolean declaresRules() {
        return false;
    }

    /**
     * Returns the warnings about a valid object.
     *
     * @param old the state before; null at creation
     * @param part the part that the request writes
     */
    default List<String> warnings(JsonObject object, @Nullable JsonObject old, Part part) {
        return List.of();
    }

    /** Returns the warnings of every request for the resource, such as that of a deprecated version. */
    default List<String> useWarnings() {
        return List.of();
    }

    /**
     * Returns the first part of the keys under which upstream stores the objects; empty for the name of the resource.
     */
    default String storagePrefix() {
        return "";
    }

    /** Returns whether a generated name is the prefix without a suffix. */
    default boolean keepsGeneratedNames() {
        return false;
    }

    /**
     * Returns the annotations that only the conversion into a served version adds to upstream's internal type, and that
     * tables and metadata therefore lack.
     */
    default Set<String> versionAnnotations() {
        return Set.of();
    }

    /** Returns whether the elements of lists state their kind and version. */
    default boolean listsTypes() {
        return false;
    }

    /**
     * Returns whether the validation reads the document of the client ({@link FieldErrors#sent}), not only messages
     * about errors.
     */
    default boolean validatesSentDocument() {
        return false;
    }

    /** Returns whether a finalizer must be a standard one or have a domain. */
    default boolean requiresQualifiedFinalizers() {
        return true;
    }

    /** Returns the fields that the scale subresource shows; null for those of the built-in kinds. */
    default @Nullable ScalePaths scalePaths() {
        return null;
    }

    /** Returns the errors of a name, or of the prefix of a generated name. */
    default List<String> checkName(String name, boolean prefix) {
        return Names.dns1123Subdomain(name, prefix);
    }

    /**
     * Returns the fields that field selectors support beside name and namespace, each with the function that reads its
     * value. The functions must be pure and fast, because every watch with a field selector calls them for every event.
     */
    default Map<String, Function<JsonObject, String>> selectableFields() {
        return Map.of();
    }

    /**
     * Returns a created object with the defaults that upstream adds only when it reads the object from the storage. If
     * they change the object, the next update writes it even if that update changes nothing.
     */
    default JsonObject read(JsonObject created) {
        return created;
    }

    /** Returns whether the status is a separate subresource. */
    default boolean hasStatus() {
        return false;
    }

    /** Returns whether the status can be shown as a table; upstream's storage of some kinds does not support it. */
    default boolean showsStatusAsTable() {
        return true;
    }

    /** Returns whether {@code metadata.generation} counts changes of the desired state. */
    default boolean hasGeneration() {
        return false;
    }

    /** Returns the part of an object whose changes {@code metadata.generation} counts: its spec. */
    default JsonObject counted(JsonObject object) {
        return object.object("spec");
    }

    /** Returns whether {@code metadata.generation} counts the difference between an object and the one before it. */
    default boolean isCounted(JsonObject object, JsonObject old) {
        return !counted(object).equals(counted(old));
    }

    /** Returns whether an update of an absent object creates it. */
    default boolean createsOnUpdate() {
        return false;
    }

    /** Returns whether an update must contain the resource version that it replaces. */
    default boolean requiresVersionOnUpdate() {
        return false;
    }

    /** Returns the default grace period of a deletion in seconds; -1 if objects of this kind have none. */
    default long gracePeriodSeconds(JsonObject object) {
        return -1;
    }

    /** Returns whether the dependents of a deleted object are orphaned unless the client requests another policy. */
    default boolean orphansByDefault() {
        return false;
    }

    /** Returns the warnings of a deletion whose client states no policy for the dependents. */
    default List<String> deletionWarnings() {
        return List.of();
    }

    /** Returns whether the garbage collector handles the dependents of a deleted object. */
    default boolean collectsGarbage() {
        return true;
    }

    /** Returns the error about a field that field selectors do not support. */
    default String unsupportedField(String field) {
        return selectableFields().isEmpty()
                ? "\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                : "field label not supported: " + field;
    }

    /** Returns whether a deletion returns the object instead of a status. */
    default boolean returnsDeletedObject() {
        return false;
    }

    /** Returns whether an object is deleted without a grace period, even if the client requests one. */
    default boolean endsAtOnce(JsonObject object) {
        return false;
    }

    /**
     * Returns how the message about a failed precondition of a deletion begins; empty if the generic code of deletions
     * checks them.
     */
    default String failedPrecondition() {
        return "";
    }

    /**
     * Returns whether a terminating object is kept for a reason other than finalizers. Another deletion leaves it as it
     * is.
     */
    default boolean isHeld(JsonObject object) {
        return false;
    }

    /** Returns the object with the further changes that the start of its deletion makes. */
    default JsonObject terminating(JsonObject object) {
        return object;
    }

    /**
     * Checks whether an object may be deleted.
     *
     * @throws StatusException if the object must stay
     */
    default void checkDelete(ServedResource resource, JsonObject object) {}

    /**
     * An object with the external resources that were allocated for it.
     *
     * @param object the object
     * @param undo releases the resources, for an object that is not stored after all
     */
    record Acquisition(JsonObject object, Runnable undo) {}

    /**
     * Allocates the external resources of an object, such as an address, and writes them into the object. Called
     * with the defaulted object before validation, for whole objects only, not for subresources.
     *
     * @param old the state before; null at creation
     * @param dryRun whether to compute the result without keeping the allocation
     * @throws StatusException if a resource is not available
     */
    default Acquisition acquire(JsonObject object, @Nullable JsonObject old, boolean dryRun) {
        return new Acquisition(object, () -> {});
    }

    /**
     * Releases the external resources of an object.
     *
     * @param kept the state whose resources stay allocated; null if the object is gone
     */
    default void release(JsonObject object, @Nullable JsonObject kept) {}
}
