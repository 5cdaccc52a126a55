package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.kinds.validation.Amounts;
import io.kubeloop.apiserver.kinds.validation.Quantities;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The strategy of limit ranges (upstream: {@code pkg/registry/core/limitrange}, {@code
 * SetDefaults_LimitRangeItem}).
 */
public final class LimitRangeStrategy implements RestStrategy {

    private static final List<String> ITEMS = List.of("spec", "limits");

    @Override
    public JsonObject defaults(JsonObject object) {
        List<JsonObject> items = new ArrayList<>();
        // A null element is an item without settings.
        object.array("spec", "limits")
                .forEach(item -> items.add(item instanceof JsonObject some ? defaultsOf(some) : JsonObject.EMPTY));
        return items.isEmpty() ? object : object.with(ITEMS, JsonArray.of(items));
    }

    /**
     * The default limit is the maximum unless it is set; the default request is the default limit, or else the
     * minimum.
     */
    private static JsonObject defaultsOf(JsonObject item) {
        JsonObject result = item;
        if (item.string("type").equals("Container")) {
            Amounts limits = Amounts.read(item.object("default")).orElse(Amounts.read(item.object("max")));
            Amounts requests =
                    Amounts.read(item.object("defaultRequest")).orElse(limits).orElse(Amounts.read(item.object("min")));
            result = result.with("default", limits.json()).with("defaultRequest", requests.json());
        }
        // Quantities may arrive as numbers; they are stored as strings.
        for (String amounts : Quantities.OF_LIMITS) {
            JsonObject specified = result.object(amounts);
            result = specified.isEmpty()
                    ? result.without(amounts)
                    : result.with(amounts, Amounts.read(specified).json());
        }
        return result;
    }

    /**
     * For other kinds, a create without a name fails. Upstream accepts it here and stores a generated UID as the
     * name.
     */
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
