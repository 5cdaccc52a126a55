/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Conditions.Condition;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the names of a definition unless another definition of the group uses them (upstream: {@code
 * NamingConditionController}). Used for one definition.
 */
final class NameClaims {

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
            conflict = new Condition(Conditions.NAMES_ACCEPTED, "False", reason, inUse(name));
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
            conflict = new Condition(Conditions.NAMES_ACCEPTED, "False", "ShortNamesConflict", message);
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
                ? new Condition(Conditions.NAMES_ACCEPTED, "True", "NoConflicts", "no conflicts found")
                : conflict;
    }
}
