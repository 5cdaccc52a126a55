/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.storage;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.kinds.validation.node.NodeLabels;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Validation of the classes of storage and of volume attributes (upstream: {@code pkg/apis/storage/validation}). */
public final class StorageClassRules {

    /** The most errors about one topology, of which upstream adds one for each equal one. */
    private static final int MOST_ERRORS = 100;

    private static final int MAX_PARAMETERS = 512;
    private static final int MAX_PARAMETER_BYTES = 256 * 1024;

    private StorageClassRules() {}

    /** Validates a storage class. */
    public static void storageClass(FieldCursor storage) {
        storage.at("provisioner").declared().require();
        driver(storage.at("provisioner"));
        parameters(storage.at("parameters"));
        FieldCursor policy = storage.at("reclaimPolicy");
        if (!policy.isEmpty()) {
            policy.oneOf(List.of("Delete", "Retain"));
        }
        FieldCursor mode = storage.at("volumeBindingMode");
        if (mode.isSet()) {
            mode.oneOf(List.of("Immediate", "WaitForFirstConsumer"));
        } else {
            mode.required("");
        }
        topologies(storage.at("allowedTopologies"));
    }

    /** Validates a change of a storage class. */
    public static void storageClassUpdate(FieldCursor storage, FieldCursor old) {
        for (String field : List.of("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode")) {
            storage.at(field).declared().unchanged(old.at(field));
        }
    }

    /** Returns the warnings about a storage class. */
    public static List<String> warnings(FieldCursor storage) {
        List<String> warnings = new ArrayList<>();
        storage.at("allowedTopologies")
                .each(topology -> topology.at("matchLabelExpressions").each(expression -> {
                    FieldCursor key = expression.at("key");
                    String deprecation = NodeLabels.deprecation(key.text());
                    if (deprecation != null) {
                        warnings.add(key.path() + ": " + deprecation);
                    }
                }));
        return warnings;
    }

    /** Validates a class of volume attributes. */
    public static void attributesClass(FieldCursor attributes) {
        FieldCursor parameters = attributes.at("parameters");
        attributes.at("driverName").require();
        driver(attributes.at("driverName"));
        parameters(parameters);
        parameters.require("must contain at least one key/value pair");
    }

    /** Validates a change of a class of volume attributes. */
    public static void attributesClassUpdate(FieldCursor attributes, FieldCursor old) {
        if (!attributes.at("driverName").text().equals(old.at("driverName").text())) {
            attributes.at("driverName").forbidden("updates to driverName are forbidden.");
        }
        if (!attributes.at("parameters").isSameAs(old.at("parameters"))) {
            attributes.at("parameters").forbidden("updates to parameters are forbidden.");
        }
    }

    private static void driver(FieldCursor driver) {
        if (!driver.isEmpty()) {
            String lower = driver.text().toLowerCase(Locale.ROOT);
            driver.holding(new JsonString(lower)).follows(NameValidation::qualifiedName);
        }
    }

    private static void parameters(FieldCursor parameters) {
        Map<String, JsonValue> entries = parameters.object().members();
        if (entries.size() > MAX_PARAMETERS) {
            parameters.errors().tooLong(parameters.path(), MAX_PARAMETERS);
            return;
        }
        if (entries.containsKey("")) {
            parameters.holding(new JsonString("")).invalid("field can not be empty.");
        }
        if (bytes(parameters) > MAX_PARAMETER_BYTES) {
            parameters.errors().tooLong(parameters.path(), MAX_PARAMETER_BYTES);
        }
    }

    /** Returns the length of the keys and values of a map in UTF-8. */
    static long bytes(FieldCursor map) {
        long bytes = 0;
        for (Map.Entry<String, JsonValue> entry : map.object().members().entrySet()) {
            String value = entry.getValue() instanceof JsonString text ? text.value() : "";
            bytes += entry.getKey().getBytes(StandardCharsets.UTF_8).length
                    + value.getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    private static void topologies(FieldCursor topologies) {
        // Upstream starts with as many empty topologies as the list has elements, so an empty one is a duplicate.
        Map<Map<String, Set<String>>, Integer> seen = new HashMap<>();
        seen.put(Map.of(), topologies.array().size());
        for (FieldCursor topology : topologies.items()) {
            FieldCursor expressions = topology.at("matchLabelExpressions");
            Map<String, Set<String>> values = new HashMap<>();
            expressions.each(expression -> expression(expression, values));
            int equal = seen.merge(values, 1, Integer::sum) - 1;
            for (int i = 0; i < Math.min(equal, MOST_ERRORS); i++) {
                expressions.holding(new JsonString("")).duplicate();
            }
        }
    }

    private static void expression(FieldCursor expression, Map<String, Set<String>> values) {
        FieldCursor list = expression.at("values");
        FieldCursor key = expression.at("key");
        list.require();
        Set<String> distinct = new HashSet<>();
        for (FieldCursor value : list.items()) {
            if (!distinct.add(value.text())) {
                value.duplicate();
            }
        }
        SelectorRules.key(key);
        if (values.put(key.text(), distinct) != null) {
            key.holdingText().duplicate();
        }
    }
}
