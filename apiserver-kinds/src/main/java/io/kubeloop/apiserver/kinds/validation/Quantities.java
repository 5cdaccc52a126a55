package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.Quantity;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.regex.Pattern;

/** The quantities of resources in containers, nodes and limit ranges. */
public final class Quantities {

    /** The fields of a limit range item that hold quantities. */
    public static final List<String> OF_LIMITS =
            List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

    private static final Pattern FORM = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");

    private static final List<List<String>> POD_SPECS =
            List.of(List.of("spec"), List.of("template", "spec"), List.of("spec", "template", "spec"));

    private Quantities() {}

    /**
     * Checks that all quantities are valid.
     *
     * @throws DecodeException with upstream's message if one is not
     */
    public static void requireForm(JsonObject object) {
        for (List<String> path : POD_SPECS) {
            JsonObject spec = object.object(path.toArray(String[]::new));
            for (String list : List.of("containers", "initContainers", EphemeralContainers.LIST)) {
                spec.array(list).objects().forEach(container -> {
                    requireAmounts(container.object("resources"), "limits");
                    requireAmounts(container.object("resources"), "requests");
                });
            }
        }
        JsonObject status = object.object("status");
        for (String amounts : List.of("capacity", "allocatable", "hard", "used")) {
            requireAmounts(status, amounts);
        }
        requireAmounts(object.object("spec"), "hard");
        object.array("spec", "limits").objects().forEach(item -> {
            for (String amounts : OF_LIMITS) {
                requireAmounts(item, amounts);
            }
        });
    }

    private static void requireAmounts(JsonObject holder, String name) {
        JsonValue amounts = holder.get(name);
        if (amounts instanceof JsonObject some) {
            some.members().values().forEach(Quantities::of);
        } else if (amounts != null && amounts != JsonNull.NULL) {
            throw new DecodeException("expected an object at " + name + ", found " + amounts, null);
        }
    }

    /**
     * Returns a quantity that is written as a string or as a number.
     *
     * @throws DecodeException if it is not a quantity
     */
    public static Quantity of(JsonValue value) {
        String text = value instanceof JsonString string ? string.value() : value.toString();
        try {
            if (value instanceof JsonString || value instanceof JsonNumber) {
                return Quantity.parse(text);
            }
        } catch (IllegalArgumentException e) {
            if (FORM.matcher(text).matches()) {
                throw new DecodeException("unable to parse quantity's suffix", e);
            }
        }
        throw new DecodeException("quantities must match the regular expression '" + FORM.pattern() + "'", null);
    }
}
