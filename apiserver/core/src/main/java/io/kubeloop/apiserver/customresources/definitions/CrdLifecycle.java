/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.DefinitionConditions.Condition;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the conditions of a definition, one write at a time: first its names are accepted, then it is established.
 * Clients that watch see the same steps as upstream's (upstream: the controllers {@code status}, {@code establish},
 * {@code apiapproval} and {@code finalizer}). Thread-safe.
 */
public final class CrdLifecycle {

    private static final Condition NOT_ACCEPTED =
            new Condition(DefinitionConditions.ESTABLISHED, "False", "NotAccepted", "not all names are accepted");
    private static final Condition INSTALLING = new Condition(
            DefinitionConditions.ESTABLISHED, "False", "Installing", "the initial names have been accepted");
    private static final Condition ESTABLISHED = new Condition(
            DefinitionConditions.ESTABLISHED, "True", "InitialNamesAccepted", "the initial names have been accepted");
    private static final Condition INVALID_BUNDLE = new Condition(
            DefinitionConditions.ESTABLISHED, "False", "InvalidCABundle", "The conversion webhook CABundle is invalid");
    private static final Condition DELETING = new Condition(
            DefinitionConditions.TERMINATING,
            "True",
            "InstanceDeletionInProgress",
            "CustomResource deletion is in progress");
    private static final Condition DELETED = new Condition(
            DefinitionConditions.TERMINATING, "False", "InstanceDeletionCompleted", "removed all instances");
    private static final Condition NEVER_ESTABLISHED = new Condition(
            DefinitionConditions.TERMINATING, "False", "NeverEstablished", "resource was never established");

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
        if (approval != null && !DefinitionConditions.has(object, approval)) {
            return DefinitionConditions.with(object, approval, clock.get());
        }
        if (!definition.isTrue(DefinitionConditions.NAMES_ACCEPTED)
                || definition.isTrue(DefinitionConditions.ESTABLISHED)) {
            return null;
        }
        Condition next = CaBundle.problem(definition.caBundle()) == null ? ESTABLISHED : INVALID_BUNDLE;
        return DefinitionConditions.has(object, next) ? null : DefinitionConditions.with(object, next, clock.get());
    }

    private @Nullable JsonObject named(Crd definition, Collection<Crd> all) {
        if (definition.names().equals(definition.acceptedNames())) {
            return null;
        }
        NameClaims claims = new NameClaims(definition, all);
        JsonObject object = definition.object();
        if (claims.names().equals(definition.acceptedNames()) && DefinitionConditions.has(object, claims.condition())) {
            return null;
        }
        JsonObject status = object.object("status").with("acceptedNames", claims.names());
        String now = clock.get();
        JsonObject named = DefinitionConditions.with(object.with("status", status), claims.condition(), now);
        return DefinitionConditions.with(named, established(named, claims.condition()), now);
    }

    /** Returns the condition that keeps an established definition, and that states the phase of another one. */
    private static Condition established(JsonObject definition, Condition accepted) {
        JsonObject before = DefinitionConditions.find(definition, DefinitionConditions.ESTABLISHED);
        if (!before.string("status").equals("True") && accepted.status().equals("True")) {
            return INSTALLING;
        }
        return before.isEmpty()
                ? NOT_ACCEPTED
                : new Condition(
                        DefinitionConditions.ESTABLISHED,
                        before.string("status"),
                        before.string("reason"),
                        before.string("message"));
    }

    /** Returns whether a terminating definition states that its objects are being deleted. */
    public boolean isDeletingInstances(Crd definition) {
        return DefinitionConditions.has(definition.object(), DELETING);
    }

    /** Returns a terminating definition whose objects are being deleted. */
    public JsonObject deletingInstances(Crd definition) {
        return DefinitionConditions.with(definition.object(), DELETING, clock.get());
    }

    /** Returns a terminating definition without objects: nothing of the server keeps it any longer. */
    public JsonObject finished(Crd definition) {
        Condition end = definition.isTrue(DefinitionConditions.ESTABLISHED) ? DELETED : NEVER_ESTABLISHED;
        JsonObject ended = DefinitionConditions.with(definition.object(), end, clock.get());
        List<String> finalizers = Meta.finalizers(ended).stream()
                .filter(finalizer -> !finalizer.equals(Crd.CLEANUP_FINALIZER))
                .toList();
        return Meta.withFinalizers(ended, finalizers);
    }

    /**
     * Accepts the names of a definition unless another definition of the group uses them (upstream: {@code
     * NamingConditionController}). Used for one definition.
     */
    private static final class NameClaims {

        private final JsonObject requested;
        private final JsonObject accepted;
        private final Set<String> resources = new HashSet<>();
        private final Set<String> kinds = new HashSet<>();
        private JsonObject names;
        private @Nullable Condition conflict;

        /**
         * Claims names.
         *
         * @param all all definitions, also this one
         */
        NameClaims(Crd definition, Collection<Crd> all) {
            requested = definition.names();
            accepted = definition.acceptedNames();
            names = accepted;
            for (Crd other : all) {
                if (other.group().equals(definition.group())) {
                    JsonObject used = other.acceptedNames();
                    resources.add(used.string("plural"));
                    resources.add(used.string("singular"));
                    used.array("shortNames").strings().forEach(resources::add);
                    kinds.add(used.string("kind"));
                    kinds.add(used.string("listKind"));
                }
            }
            claim("plural", resources, "PluralConflict");
            claim("singular", resources, "SingularConflict");
            claimShortNames();
            claim("kind", kinds, "KindConflict");
            claim("listKind", kinds, "ListKindConflict");
            JsonArray categories = requested.array("categories");
            names = categories.isEmpty() ? names.without("categories") : names.with("categories", categories);
        }

        private void claim(String field, Set<String> used, String reason) {
            String name = requested.string(field);
            if (name.equals(accepted.string(field)) || !used.contains(name)) {
                names = names.with(field, name);
            } else {
                conflict = new Condition(DefinitionConditions.NAMES_ACCEPTED, "False", reason, inUse(name));
            }
        }

        private static String inUse(String name) {
            return "\"" + name + "\" is already in use";
        }

        private void claimShortNames() {
            List<String> own = accepted.array("shortNames").strings().toList();
            List<String> wanted = requested.array("shortNames").strings().toList();
            if (own.equals(wanted)) {
                return;
            }
            Set<String> errors = new LinkedHashSet<>();
            wanted.stream()
                    .filter(name -> !own.contains(name) && resources.contains(name))
                    .forEach(name -> errors.add(inUse(name)));
            if (!errors.isEmpty()) {
                String joined = String.join(", ", errors);
                String message = errors.size() == 1 ? joined : "[" + joined + "]";
                conflict = new Condition(DefinitionConditions.NAMES_ACCEPTED, "False", "ShortNamesConflict", message);
            } else if (wanted.isEmpty()) {
                names = names.without("shortNames");
            } else {
                names = names.with(
                        "shortNames",
                        JsonArray.of(wanted.stream().map(JsonString::new).toList()));
            }
        }

        /** Returns the names that the definition may use. */
        JsonObject names() {
            return names;
        }

        /** Returns the condition that states whether all names were accepted. */
        Condition condition() {
            return conflict == null
                    ? new Condition(DefinitionConditions.NAMES_ACCEPTED, "True", "NoConflicts", "no conflicts found")
                    : conflict;
        }
    }
}
