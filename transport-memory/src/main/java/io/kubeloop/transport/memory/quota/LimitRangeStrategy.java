package io.kubeloop.transport.memory.quota;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.FieldErrors;
import io.kubeloop.transport.memory.machinery.Meta;
import io.kubeloop.transport.memory.machinery.RestStrategy;
import io.kubeloop.transport.memory.validation.Amounts;
import io.kubeloop.transport.memory.validation.Quantities;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Limit ranges of namespaces (upstream: {@code pkg/registry/core/limitrange}, {@code SetDefaults_LimitRangeItem}). */
public final class LimitRangeStrategy implements RestStrategy {

    private static final List<String> ITEMS = List.of("spec", "limits");

    @Override
    public JsonObject defaults(JsonObject object) {
        List<JsonObject> items = new ArrayList<>();
        // Nothing is an item that says nothing.
        object.array("spec", "limits")
                .forEach(item -> items.add(item instanceof JsonObject some ? defaultsOf(some) : JsonObject.EMPTY));
        return items.isEmpty() ? object : object.with(ITEMS, JsonArray.of(items));
    }

    /** The most that a container may have is its limit unless something else is said, its limit what it asks for, and else the least. */
    private static JsonObject defaultsOf(JsonObject item) {
        JsonObject result = item;
        if (item.string("type").equals("Container")) {
            Amounts limits = Amounts.read(item.object("default")).orElse(Amounts.read(item.object("max")));
            Amounts requests =
                    Amounts.read(item.object("defaultRequest")).orElse(limits).orElse(Amounts.read(item.object("min")));
            result = result.with("default", limits.json()).with("defaultRequest", requests.json());
        }
        // Amounts may come as numbers; they are kept as texts.
        for (String amounts : Quantities.OF_LIMITS) {
            JsonObject said = result.object(amounts);
            result = said.isEmpty()
                    ? result.without(amounts)
                    : result.with(amounts, Amounts.read(said).json());
        }
        return result;
    }

    /** Other kinds need a name; here any will do, and the UID is one that nobody has. */
    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return Meta.name(object).isEmpty() ? Meta.with(object, "name", Meta.text(object, "uid")) : object;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        List<JsonObject> items = object.array("spec", "limits").objects().toList();
        Set<String> types = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            new LimitItemRules("spec.limits[" + i + "]", items.get(i), errors).validate(types);
        }
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }
}
