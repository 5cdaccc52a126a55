/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@link Selector}s from text, objects and maps (upstream: {@code labels.Parse},
 * {@code metav1.LabelSelectorAs...}). Stateless.
 */
public final class LabelSelectors {

    private LabelSelectors() {}

    /**
     * Parses a selector such as {@code app=web,tier in (db,cache),!canary,rev>3}. Empty text selects every object.
     *
     * @throws InvalidSelectorException if the text is not a valid selector
     */
    public static Selector parse(String text) {
        return Selector.of(new LabelSelectorParser(text).parse());
    }

    /**
     * Returns the predicate of a selector object. Null selects no object, and an empty selector object selects every
     * object.
     *
     * @throws InvalidSelectorException if an operator is unknown, or a key or value invalid
     */
    public static Selector of(@Nullable LabelSelector selector) {
        if (selector == null) {
            return Selector.NOTHING;
        }
        List<Requirement> requirements = new ArrayList<>();
        selector.matchLabels()
                .forEach((key, value) -> requirements.add(Requirement.of(key, Operator.EQUALS, List.of(value))));
        for (LabelSelectorRequirement expression : selector.matchExpressions()) {
            Operator operator = switch (expression.operator()) {
                case "In" -> Operator.IN;
                case "NotIn" -> Operator.NOT_IN;
                case "Exists" -> Operator.EXISTS;
                case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                default -> throw unknownOperator(expression);
            };
            requirements.add(Requirement.of(expression.key(), operator, expression.values()));
        }
        return Selector.of(requirements);
    }

    /**
     * Returns a predicate that requires all of these labels. An empty map selects every object. Keys and values are
     * not validated; an invalid label matches no object.
     */
    public static Selector ofMap(Map<String, String> labels) {
        List<Requirement> requirements = new ArrayList<>(labels.size());
        labels.forEach((key, value) -> requirements.add(new Requirement(key, Operator.EQUALS, List.of(value))));
        return Selector.of(requirements);
    }

    /**
     * Returns a selector object as plain labels, the form that Services and ReplicationControllers use.
     *
     * @throws InvalidSelectorException if it does not require exactly one value for each label
     */
    public static Map<String, String> toMap(LabelSelector selector) {
        Map<String, String> labels = new LinkedHashMap<>(selector.matchLabels());
        for (LabelSelectorRequirement expression : selector.matchExpressions()) {
            switch (expression.operator()) {
                case "In" -> {
                    if (expression.values().size() != 1) {
                        throw notPlain(expression);
                    }
                    labels.put(expression.key(), expression.values().get(0));
                }
                case "NotIn", "Exists", "DoesNotExist" -> throw notPlain(expression);
                default -> throw unknownOperator(expression);
            }
        }
        return labels;
    }

    /**
     * Returns the text of a selector object for people: {@code <none>} if it is null or empty, {@code <error>} if it
     * is invalid.
     */
    public static String format(@Nullable LabelSelector selector) {
        try {
            String text = of(selector).toString();
            return text.isEmpty() ? "<none>" : text;
        } catch (InvalidSelectorException e) {
            return "<error>";
        }
    }

    /**
     * Returns the text of a selector object as Kubernetes' components print it in messages, such as {@code
     * &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}}; {@code
     * nil} for null.
     */
    public static String goText(@Nullable LabelSelector selector) {
        if (selector == null) {
            return "nil";
        }
        StringBuilder text = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
        new TreeMap<>(selector.matchLabels())
                .forEach((key, value) ->
                        text.append(key).append(": ").append(value).append(','));
        text.append("},MatchExpressions:[]LabelSelectorRequirement{");
        for (LabelSelectorRequirement expression : selector.matchExpressions()) {
            text.append("LabelSelectorRequirement{Key:" + expression.key() + ",Operator:" + expression.operator()
                    + ",Values:[" + String.join(" ", expression.values()) + "],},");
        }
        return text.append("},}").toString();
    }

    private static InvalidSelectorException unknownOperator(LabelSelectorRequirement expression) {
        return new InvalidSelectorException("unknown operator \"" + expression.operator() + "\" on label \""
                + expression.key() + "\": want In, NotIn, Exists or DoesNotExist");
    }

    private static InvalidSelectorException notPlain(LabelSelectorRequirement expression) {
        return new InvalidSelectorException("operator \"" + expression.operator() + "\" on label \"" + expression.key()
                + "\" with values " + expression.values() + " has no plain form: want In with one value");
    }
}
