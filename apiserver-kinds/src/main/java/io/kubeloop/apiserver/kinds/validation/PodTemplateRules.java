package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.MetaValidation;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;

/** Defaults and validation that all kinds with a pod template share. */
public final class PodTemplateRules {

    private PodTemplateRules() {}

    /** Sets the defaults of the template in this object, if there is one. As upstream, a template always has a spec. */
    public static JsonObject defaults(JsonObject holder) {
        if (!holder.has("template")) {
            return holder;
        }
        JsonObject template = holder.object("template");
        return holder.with("template", template.with("spec", PodSpecRules.defaults(template.object("spec"))));
    }

    /** Sets the labels of an object without labels to those of its template. */
    public static JsonObject labelsFromTemplate(JsonObject object) {
        JsonObject labels = object.object("spec", "template", "metadata", "labels");
        return labels.isEmpty() || !object.object("metadata", "labels").isEmpty()
                ? object
                : Meta.with(object, "labels", labels);
    }

    /** Validates the spec of an object that creates pods from a template. */
    public static void validate(String kind, JsonObject spec, Selector selector, FieldErrors errors) {
        JsonValue replicas = spec.get("replicas");
        Long number = spec.number("replicas");
        if (replicas == null) {
            errors.required("spec.replicas", "");
        } else if (number == null || number < 0) {
            errors.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
        }
        Long minReady = spec.number("minReadySeconds");
        if (minReady != null && minReady < 0) {
            errors.invalid("spec.minReadySeconds", JsonNumber.of(minReady), "must be greater than or equal to 0");
        }
        if (!spec.has("template")) {
            errors.required("spec.template", "");
            return;
        }
        JsonObject labels = spec.object("template", "metadata", "labels");
        if (!selector.isEmpty() && !selector.matches(Meta.strings(labels))) {
            errors.invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
        }
        MetaValidation.labels("spec.template.labels", labels, errors);
        PodSpecRules.deletionCost(
                "spec.template.annotations", spec.object("template", "metadata", "annotations"), errors);
        PodSpecRules.validate("spec.template.spec", spec.object("template", "spec"), errors);
        String restartPolicy = spec.string("template", "spec", "restartPolicy");
        if (!restartPolicy.equals("Always")) {
            errors.notSupported("spec.template.spec.restartPolicy", restartPolicy, List.of("Always"));
        }
        if (spec.object("template", "spec").has("activeDeadlineSeconds")) {
            errors.forbidden(
                    "spec.template.spec.activeDeadlineSeconds",
                    "activeDeadlineSeconds in " + kind + " is not Supported");
        }
        if (!spec.array("template", "spec", EphemeralContainers.LIST).isEmpty()) {
            errors.forbidden(
                    "spec.template.spec." + EphemeralContainers.LIST,
                    "ephemeral containers not allowed in pod template");
        }
    }
}
