package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Defaults and validation of {@code spec.strategy} of a deployment: the way it replaces old pods. */
public final class RolloutRules {

    static final String MAX_SURGE = "maxSurge";
    static final String MAX_UNAVAILABLE = "maxUnavailable";

    /** The maximum of pods above and below the desired number, as a number or a percentage. */
    static final List<String> BOUNDS = List.of(MAX_UNAVAILABLE, MAX_SURGE);

    private static final String RECREATE = "Recreate";
    private static final String ROLLING = "RollingUpdate";

    private static final Defaults TYPE = Defaults.parse("+strategy.type = \"" + ROLLING + "\"");
    private static final Defaults ROLLING_UPDATE = Defaults.parse("""
        strategy.+rollingUpdate.maxUnavailable = "25%"
        strategy.+rollingUpdate.maxSurge = "25%"
        """);

    private static final String PATH = "spec.strategy";
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

    private RolloutRules() {}

    /** Sets the defaults of the strategy in a deployment's spec. */
    public static JsonObject defaults(JsonObject spec) {
        JsonObject typed = TYPE.apply(spec);
        return typed.string("strategy", "type").equals(ROLLING) ? ROLLING_UPDATE.apply(typed) : typed;
    }

    /** Validates the strategy of a deployment. */
    public static void validate(JsonObject strategy, FieldErrors errors) {
        String type = strategy.string("type");
        if (type.equals(ROLLING)) {
            rollingUpdate(strategy.object("rollingUpdate"), errors);
        } else if (!type.equals(RECREATE)) {
            errors.notSupported(PATH, strategy, List.of(RECREATE, ROLLING));
        } else if (strategy.has("rollingUpdate")) {
            errors.forbidden(
                    PATH + ".rollingUpdate", "may not be specified when strategy `type` is '" + RECREATE + "'");
        }
    }

    private static void rollingUpdate(JsonObject bounds, FieldErrors errors) {
        for (String bound : BOUNDS) {
            countOrPercentage(path(bound), bounds.get(bound), errors);
        }
        JsonValue unavailable = bounds.get(MAX_UNAVAILABLE);
        if (unavailable == null) {
            return; // cannot happen, because the field has a default
        }
        long missing = number(unavailable);
        if (missing == 0 && number(bounds.get(MAX_SURGE)) == 0) {
            errors.invalid(path(MAX_UNAVAILABLE), unavailable, "may not be 0 when `maxSurge` is 0");
        }
        if (isPercentage(unavailable) && missing > 100) {
            errors.invalid(path(MAX_UNAVAILABLE), unavailable, "must not be greater than 100%");
        }
    }

    private static String path(String bound) {
        return PATH + ".rollingUpdate." + bound;
    }

    private static void countOrPercentage(String field, @Nullable JsonValue value, FieldErrors errors) {
        if (!(value instanceof JsonString)) {
            errors.nonNegative(field, value);
        } else if (!isPercentage(value)) {
            errors.invalid(
                    field,
                    value,
                    "a valid percent string must be a numeric string followed by an ending '%'"
                            + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')");
        }
    }

    private static boolean isPercentage(JsonValue value) {
        return value instanceof JsonString text && PERCENT.matcher(text.value()).matches();
    }

    /** Returns the number, or the number before the percent sign; 0 if there is none. */
    private static long number(@Nullable JsonValue value) {
        if (value instanceof JsonNumber count) {
            Long number = count.toLong();
            return number == null ? 0 : number;
        }
        String text = value instanceof JsonString string ? string.value() : "";
        try {
            return Long.parseLong(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
