package io.kubeloop.json.usage;

import io.kubeloop.api.Quantity;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.regex.Pattern;

/** Reads quantities from JSON. */
public final class Quantities {

    private static final Pattern FORM = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");

    private Quantities() {}

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
