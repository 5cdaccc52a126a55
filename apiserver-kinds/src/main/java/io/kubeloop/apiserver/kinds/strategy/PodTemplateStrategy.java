package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.validation.PodSpecRules;
import io.kubeloop.apiserver.kinds.validation.PodTemplateRules;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;

/** The strategy of PodTemplates (upstream: {@code pkg/registry/core/podtemplate}). */
final class PodTemplateStrategy implements RestStrategy {

    @Override
    public JsonObject defaults(JsonObject object) {
        return PodTemplateRules.defaults(object);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        PodSpecRules.validate("template.spec", object.object("template", "spec"), errors);
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    @Override
    public JsonObject counted(JsonObject object) {
        return object.object("template");
    }

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }
}
