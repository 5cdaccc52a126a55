package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.apiserver.machinery.Conversion;
import io.kubeloop.json.tree.JsonObject;

/** Converts autoscalers of version {@code v1} to and from version {@code v2}. */
final class AutoscalerConversion implements Conversion {

    @Override
    public JsonObject toStorage(JsonObject served) {
        return served.with("apiVersion", "autoscaling/v2");
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        return stored.with("apiVersion", "autoscaling/v1");
    }
}
