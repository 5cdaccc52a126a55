package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ResourceType;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * The scale of the object that an autoscaler scales.
 *
 * @param resource the object's resource
 * @param document the scale, as the server sent it
 */
record TargetScale(ResourceType<?> resource, JsonObject document) {

    int specReplicas() {
        return number("spec", "replicas");
    }

    int statusReplicas() {
        return number("status", "replicas");
    }

    String selector() {
        return document.string("status", "selector");
    }

    private int number(String... path) {
        Long number = document.number(path);
        return number == null ? 0 : number.intValue();
    }

    TargetScale withDocument(JsonObject newer) {
        return new TargetScale(resource, newer);
    }

    /** Returns the scale with this number of wanted pods. */
    JsonObject wanting(int replicas) {
        return document.with(List.of("spec", "replicas"), JsonNumber.of(replicas));
    }
}
