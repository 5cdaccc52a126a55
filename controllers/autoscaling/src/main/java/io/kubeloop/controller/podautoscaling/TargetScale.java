/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectorRequirement;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Requirement;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scale subresource of the object that an autoscaler controls.
 *
 * @param resource the object's resource
 * @param document the scale, as the server sent it
 * @param selector the selector of the pods in its canonical form; empty if the scale has none
 */
record TargetScale(ResourceType<?> resource, JsonObject document, String selector) {

    /**
     * Reads the document of a scale.
     *
     * @throws ControllerException if its selector is no selector of labels
     */
    static TargetScale of(ResourceType<?> resource, JsonObject document) {
        String text = document.string("status", "selector");
        try {
            return new TargetScale(resource, document, canonical(text));
        } catch (InvalidSelectorException e) {
            throw new ControllerException(
                    "received an object from a /scale endpoint which was not convertible to autoscaling Scale: failed"
                            + " to parse target selector: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns the form that the text takes as an object and as a text again (upstream: {@code ParseToLabelSelector}).
     */
    private static String canonical(String text) {
        List<Requirement> requirements;
        try {
            requirements = LabelSelectors.parse(text).requirements();
        } catch (InvalidSelectorException e) {
            throw new InvalidSelectorException(
                    "couldn't parse the selector string \"" + text + "\": " + e.getMessage());
        }
        Map<String, String> labels = new LinkedHashMap<>();
        List<LabelSelectorRequirement> expressions = new ArrayList<>();
        for (Requirement requirement : requirements) {
            switch (requirement.operator()) {
                case EQUALS, DOUBLE_EQUALS ->
                    labels.put(requirement.key(), requirement.values().get(0));
                case IN -> expressions.add(expression(requirement, "In"));
                case NOT_IN -> expressions.add(expression(requirement, "NotIn"));
                case EXISTS -> expressions.add(expression(requirement, "Exists"));
                case DOES_NOT_EXIST -> expressions.add(expression(requirement, "DoesNotExist"));
                case GREATER_THAN -> throw new InvalidSelectorException("\"gt\" isn't supported in label selectors");
                case LESS_THAN -> throw new InvalidSelectorException("\"lt\" isn't supported in label selectors");
                case NOT_EQUALS -> throw new InvalidSelectorException("\"!=\" is not a valid label selector operator");
            }
        }
        return LabelSelectors.of(new LabelSelector(labels, expressions, UnknownFields.NONE))
                .toString();
    }

    private static LabelSelectorRequirement expression(Requirement requirement, String operator) {
        return new LabelSelectorRequirement(requirement.key(), operator, requirement.values(), UnknownFields.NONE);
    }

    int specReplicas() {
        return number("spec", "replicas");
    }

    int statusReplicas() {
        return number("status", "replicas");
    }

    private int number(String... path) {
        Long number = document.number(path);
        return number == null ? 0 : number.intValue();
    }

    /** Returns the scale with this number of wanted pods. */
    static JsonObject wanting(JsonObject document, int replicas) {
        return document.with(List.of("spec", "replicas"), JsonNumber.of(replicas));
    }
}
