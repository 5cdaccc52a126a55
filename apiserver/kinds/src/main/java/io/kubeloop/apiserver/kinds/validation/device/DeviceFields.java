/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Validation of the fields that several kinds of resource.k8s.io have (upstream: {@code pkg/apis/resource/validation}).
 */
final class DeviceFields {

    private static final int MAX_POOL_NAME = 253;
    private static final int MAX_IDENTIFIER = 32;
    private static final int MAX_SELECTORS = 32;
    private static final int MAX_EXPRESSION = 10 * 1024;
    private static final int MAX_BINDING_CONDITIONS = 4;
    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
    private static final Pattern IDENTIFIER_PATTERN = Pattern.compile(IDENTIFIER);
    private static final String NO_IDENTIFIER =
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric"
                    + " characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '"
                    + IDENTIFIER + "')";

    private DeviceFields() {}

    /** Validates the elements of a list, to whose length a declared rule sets a limit. */
    static void list(FieldCursor list, int most, Consumer<FieldCursor> check) {
        if (list.array().size() > most) {
            list.declared().atMost(most);
        } else {
            list.each(check);
        }
    }

    /**
     * Validates the elements of such a list, which a declared rule requires to be unique.
     *
     * @param members the members that identify an element; none if the elements are strings
     */
    static void unique(FieldCursor list, int most, Consumer<FieldCursor> check, String... members) {
        Set<List<String>> seen = new HashSet<>();
        for (FieldCursor item : list.array().size() > most ? List.<FieldCursor>of() : list.items()) {
            List<String> key = members.length == 0
                    ? List.of(item.text())
                    : Stream.of(members).map(member -> item.at(member).text()).toList();
            if (!seen.add(key)) {
                item.declared().duplicate();
            }
        }
        list(list, most, check);
    }

    /** Validates the elements of a list that has at most this many, whose keys are unique. */
    static void set(FieldCursor list, int most, Consumer<FieldCursor> check, Function<FieldCursor, JsonValue> key) {
        if (list.array().size() > most) {
            list.atMost(most);
            return;
        }
        list.each(check);
        Set<JsonValue> seen = new HashSet<>();
        for (FieldCursor item : list.items()) {
            if (!seen.add(key.apply(item))) {
                item.holding(key.apply(item)).duplicate();
            }
        }
    }

    /** Returns the key of an element: the string in one of its fields. */
    static Function<FieldCursor, JsonValue> text(String field) {
        return item -> new JsonString(item.at(field).text());
    }

    /** Validates the name of a pool: DNS subdomains joined by slashes. */
    static void poolName(FieldCursor name) {
        if (name.require()) {
            if (name.text().length() > MAX_POOL_NAME) {
                name.errors().tooLong(name.path(), MAX_POOL_NAME);
            }
            for (String part : name.text().split("/", -1)) {
                name.holding(new JsonString(part)).follows(NameValidation::dns1123Subdomain);
            }
        }
    }

    /** Validates the name of an attribute or a capacity: an identifier, which may follow a domain and a slash. */
    static void qualifiedName(FieldCursor name) {
        qualifiedName(name, "the domain", "the name", VolumeSourceRules::driverName);
    }

    private static void qualifiedName(FieldCursor name, String domain, String last, Consumer<FieldCursor> rule) {
        String[] parts = name.text().split("/", -1);
        if (parts.length == 1) {
            identifier(name);
        } else if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                name.holding(new JsonString("")).invalid(domain + " must not be empty");
            } else {
                rule.accept(name.holding(new JsonString(parts[0])));
            }
            if (parts[1].isEmpty()) {
                name.holding(new JsonString("")).invalid(last + " must not be empty");
            } else {
                identifier(name.holding(new JsonString(parts[1])));
            }
        }
    }

    /** Validates the name of an attribute that must have a domain ({@code k8s-resource-fully-qualified-name}). */
    static void fullName(FieldCursor field) {
        FieldCursor name = field.declared();
        qualifiedName(name.holdingText(), "prefix", "name", DeclaredFormats::domain);
        if (!name.text().contains("/")) {
            name.invalid("a fully qualified name must be a domain and a name separated by a slash");
        }
    }

    private static void identifier(FieldCursor name) {
        if (name.text().length() > MAX_IDENTIFIER) {
            name.errors().tooLong(name.path(), MAX_IDENTIFIER);
        }
        if (!IDENTIFIER_PATTERN.matcher(name.text()).matches()) {
            name.invalid(NO_IDENTIFIER);
        }
    }

    /** Validates parameters or data whose form a driver defines. */
    static void raw(FieldCursor raw, int maxBytes) {
        JsonValue value = raw.value();
        if (value == null || value == JsonNull.NULL) {
            raw.required("");
        } else if (value.toString().getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            raw.errors().tooLong(raw.path(), maxBytes);
        } else if (!(value instanceof JsonObject)) {
            raw.holding(new JsonString("<value omitted>")).invalid("must be a valid JSON object");
        }
    }

    /** Validates selectors of devices. */
    static void selectors(FieldCursor selectors) {
        list(selectors, MAX_SELECTORS, selector -> {
            FieldCursor cel = selector.at("cel");
            FieldCursor expression = cel.at("expression");
            if (!cel.isSet()) {
                cel.required("");
            } else if (expression.text().length() > MAX_EXPRESSION) {
                expression.errors().tooLong(expression.path(), MAX_EXPRESSION);
            } else {
                DeviceExpressions.check(expression);
            }
        });
    }

    /** Validates a configuration for a driver. */
    static void configuration(FieldCursor configuration) {
        FieldCursor opaque = configuration.at("opaque");
        if (opaque.isSet()) {
            DeclaredFormats.driverName(opaque.at("driver"));
            raw(opaque.at("parameters"), 10 * 1024);
        } else {
            opaque.required("");
        }
    }

    /** Validates the conditions that a device waits for before it is bound, and those that end the wait. */
    static void bindingConditions(FieldCursor device) {
        FieldCursor conditions = device.at("bindingConditions");
        FieldCursor failures = device.at("bindingFailureConditions");
        for (FieldCursor list : List.of(conditions, failures)) {
            list(list, MAX_BINDING_CONDITIONS, name -> name.follows(NameValidation::qualifiedName));
        }
        conditions.unique();
        Set<JsonValue> seen = new HashSet<>();
        failures.each(failure -> {
            if (failure.value() != null && !seen.add(failure.value())) {
                failure.duplicate();
            }
            if (conditions.array().strings().anyMatch(failure.text()::equals)) {
                failure.invalid("bindingFailureConditions must not overlap with bindingConditions");
            }
        });
        if (conditions.isEmpty() && !failures.isEmpty()) {
            conditions.invalid("bindingConditions are required to use bindingFailureConditions");
        }
        if (failures.isEmpty() && !conditions.isEmpty()) {
            failures.invalid("bindingFailureConditions are required to use bindingConditions");
        }
    }
}
