/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Conditions.Condition;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the conditions of a definition, one write at a time: first its names are accepted, then it is established.
 * Clients that watch see the same steps as upstream's (upstream: the controllers {@code status}, {@code establish},
 * {@code apiapproval} and {@code finalizer}). Thread-safe.
 */
public final class CrdLifecycle {

    private static final Condition NOT_ACCEPTED =
            new Condition(Conditions.ESTABLISHED, "False", "NotAccepted", "not all names are accepted");
    private static final Condition INSTALLING =
            new Condition(Conditions.ESTABLISHED, "False", "Installing", "the initial names have been accepted");
    private static final Condition ESTABLISHED = new Condition(
            Conditions.ESTABLISHED, "True", "InitialNamesAccepted", "the initial names have been accepted");
    private static final Condition INVALID_BUNDLE = new Condition(
            Conditions.ESTABLISHED, "False", "InvalidCABundle", "The conversion webhook CABundle is invalid");
    private static final Condition DELETING = new Condition(
            Conditions.TERMINATING, "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress");
    private static final Condition DELETED =
            new Condition(Conditions.TERMINATING, "False", "InstanceDeletionCompleted", "removed all instances");
    private static final Condition NEVER_ESTABLISHED =
            new Condition(Conditions.TERMINATING, "False", "NeverEstablished", "resource was never established");

    private final Supplier<String> clock;

    /**
     * Creates a life cycle.
     *
     * @param clock supplies the current time in the form of the API
     */
    public CrdLifecycle(Supplier<String> clock) {
        this.clock = clock;
    }

    /**
     * Returns the definition after its next step; null if there is none to come.
     *
     * @param all all definitions, also this one
     */
    public @Nullable JsonObject next(Crd definition, Collection<Crd> all) {
        JsonObject object = definition.object();
        JsonObject named = named(definition, all);
        if (named != null) {
            return named;
        }
        Condition approval = ApiApproval.condition(definition);
        if (approval != null && !Conditions.has(object, approval)) {
            return Conditions.with(object, approval, clock.get());
        }
        if (!definition.isTrue(Conditions.NAMES_ACCEPTED) || definition.isTrue(Conditions.ESTABLISHED)) {
            return null;
        }
        Condition next = CaBundle.problem(definition.caBundle()) == null ? ESTABLISHED : INVALID_BUNDLE;
        return Conditions.has(object, next) ? null : Conditions.with(object, next, clock.get());
    }

    private @Nullable JsonObject named(Crd definition, Collection<Crd> all) {
        if (definition.names().equals(definition.acceptedNames())) {
            return null;
        }
        NameClaims claims = new NameClaims(definition, all);
        JsonObject object = definition.object();
        if (claims.names().equals(definition.acceptedNames()) && Conditions.has(object, claims.condition())) {
            return null;
        }
        JsonObject status = object.object("status").with("acceptedNames", claims.names());
        String now = clock.get();
        JsonObject named = Conditions.with(object.with("status", status), claims.condition(), now);
        return Conditions.with(named, established(named, claims.condition()), now);
    }

    /** Returns the condition that keeps an established definition, and that states the phase of another one. */
    private static Condition established(JsonObject definition, Condition accepted) {
        JsonObject before = Conditions.find(definition, Conditions.ESTABLISHED);
        if (!before.string("status").equals("True") && accepted.status().equals("True")) {
            return INSTALLING;
        }
        return before.isEmpty()
                ? NOT_ACCEPTED
                : new Condition(
                        Conditions.ESTABLISHED,
                        before.string("status"),
                        before.string("reason"),
                        before.string("message"));
    }

    /** Returns whether a terminating definition states that its objects are being deleted. */
    public boolean isDeletingInstances(Crd definition) {
        return Conditions.has(definition.object(), DELETING);
    }

    /** Returns a terminating definition whose objects are being deleted. */
    public JsonObject deletingInstances(Crd definition) {
        return Conditions.with(definition.object(), DELETING, clock.get());
    }

    /** Returns a terminating definition without objects: nothing of the server keeps it any longer. */
    public JsonObject finished(Crd definition) {
        Condition end = definition.isTrue(Conditions.ESTABLISHED) ? DELETED : NEVER_ESTABLISHED;
        JsonObject ended = Conditions.with(definition.object(), end, clock.get());
        List<String> finalizers = Meta.finalizers(ended).stream()
                .filter(finalizer -> !finalizer.equals(Crd.CLEANUP_FINALIZER))
                .toList();
        return Meta.withFinalizers(ended, finalizers);
    }
}
