/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.selector.FieldSelector;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.storage.WatchTrigger;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a list or watch selects: a label selector and a field selector. Immutable.
 *
 * @param labels the label selector
 * @param fields the field selector
 * @param readers the readers of the selectable fields of the kind
 */
record Selection(Selector labels, FieldSelector fields, Map<String, Function<JsonObject, String>> readers)
        implements Predicate<StoredObject> {

    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    /**
     * Reads the selectors of a request.
     *
     * @throws StatusException 400 if a selector is malformed or names a field that the kind does not support
     */
    static Selection of(ResourceStore store, RequestInfo info, Query query) {
        try {
            FieldSelector fields = FieldSelector.parse(query.text("fieldSelector"));
            if (!info.name().isEmpty()) {
                fields = named(info.name(), fields);
            }
            FieldSelector stored = storedFields(store, fields);
            return new Selection(
                    LabelSelectors.parse(query.text("labelSelector")),
                    stored,
                    store.strategy().selectableFields());
        } catch (InvalidSelectorException e) {
            throw StatusException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** A path with a name selects that object; a field selector beside it must contain the same name. */
    private static FieldSelector named(String name, FieldSelector fields) {
        if (fields.isEmpty()) {
            return FieldSelector.ofName(name);
        }
        if (fields.requirements().stream().noneMatch(FieldSelector.ofName(name).requirements()::contains)) {
            throw StatusException.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
        return fields;
    }

    /** Converts the names of fields into those of the stored form, which the strategy reads. */
    private static FieldSelector storedFields(ResourceStore store, FieldSelector selector) {
        List<FieldSelector.Requirement> requirements = new ArrayList<>();
        Set<String> known = store.strategy().selectableFields().keySet();
        for (FieldSelector.Requirement requirement : selector.requirements()) {
            String field = requirement.field();
            String stored = store.storedField(field);
            if (stored != null && (stored.equals(NAME) || stored.equals(NAMESPACE) || known.contains(stored))) {
                requirements.add(new FieldSelector.Requirement(stored, requirement.negated(), requirement.value()));
                continue;
            }
            throw StatusException.badRequest(store.strategy().unsupportedField(field));
        }
        return new FieldSelector(requirements);
    }

    /** Returns whether the selectors read more of an object than its name and its namespace. */
    boolean readsContent() {
        return !labels.isEmpty()
                || fields.requirements().stream().anyMatch(requirement -> isContent(requirement.field()));
    }

    private static boolean isContent(String field) {
        return !field.equals(NAME) && !field.equals(NAMESPACE);
    }

    /**
     * Returns a value that all selected objects of a namespace have; null if there is none.
     *
     * @param stored whether the stored objects have the fields that the selector reads
     */
    @Nullable
    WatchTrigger trigger(String namespace, boolean stored) {
        for (FieldSelector.Requirement requirement : fields.requirements()) {
            String field = requirement.field();
            if (!requirement.negated() && (stored || !isContent(field))) {
                return new WatchTrigger(field, requirement.value(), object -> value(object, field));
            }
        }
        return namespace.isEmpty()
                ? null
                : new WatchTrigger(NAMESPACE, namespace, object -> Meta.namespace(object.tree()));
    }

    private String value(StoredObject object, String field) {
        return switch (field) {
            case NAME -> Meta.name(object.tree());
            case NAMESPACE -> Meta.namespace(object.tree());
            default -> {
                Function<JsonObject, String> reader = readers.get(field);
                yield reader == null ? "" : reader.apply(object.tree());
            }
        };
    }

    /** Returns whether all objects match. */
    boolean isEmpty() {
        return labels.isEmpty() && fields.isEmpty();
    }

    @Override
    public boolean test(StoredObject object) {
        if (!labels.isEmpty() && !labels.matches(object.labels())) {
            return false;
        }
        return fields.isEmpty() || fields.matches(field -> value(object, field));
    }
}
