package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.LabelSelectorTrees;
import io.kubeloop.apiserver.machinery.MetaValidation;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Validation of the pod selectors of workloads. */
public final class WorkloadSelectors {

    private static final String PATH = "spec.selector";

    private WorkloadSelectors() {}

    /** Reads the selector, which is required and must not be empty. */
    public static Selector required(JsonObject spec, FieldErrors errors) {
        if (!(spec.get("selector") instanceof JsonObject)) {
            errors.required(PATH, "");
            return Selector.NOTHING;
        }
        JsonObject selector = spec.object("selector");
        MetaValidation.labels(PATH + ".matchLabels", selector.object("matchLabels"), errors);
        List<JsonObject> expressions =
                selector.array("matchExpressions").objects().toList();
        for (int i = 0; i < expressions.size(); i++) {
            expression(PATH + ".matchExpressions[" + i + "]", expressions.get(i), errors);
        }
        try {
            Selector read = LabelSelectorTrees.read(selector);
            if (read.isEmpty()) {
                errors.invalid(PATH, selector, "empty selector is invalid for deployment");
            }
            return read;
        } catch (InvalidSelectorException e) {
            errors.invalid(PATH, selector, "invalid label selector");
            return Selector.EVERYTHING;
        }
    }

    private static void expression(String path, JsonObject expression, FieldErrors errors) {
        List<String> values = expression.array("values").strings().toList();
        String operator = expression.string("operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> errors.invalid(path + ".operator", operator, "not a valid selector operator");
        }
        String key = expression.string("key");
        errors.invalid(path + ".key", key, NameValidation.qualifiedName(key));
        for (int i = 0; i < values.size(); i++) {
            errors.invalid(path + ".values[" + i + "]", values.get(i), NameValidation.labelValue(values.get(i)));
        }
    }

    /** A selector cannot change after creation, because it decides which pods belong to the workload. */
    public static void requireSame(JsonObject object, JsonObject old, FieldErrors errors) {
        JsonObject selector = object.object("spec", "selector");
        if (!selector.equals(old.object("spec", "selector"))) {
            errors.invalid(PATH, selector, "field is immutable");
        }
    }
}
