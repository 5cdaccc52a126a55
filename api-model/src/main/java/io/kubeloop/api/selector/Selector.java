/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A predicate over labels (upstream: {@code labels.Selector}). {@link LabelSelectors} creates it. Immutable.
 *
 * <p>Two instances are special. {@link #EVERYTHING} has no requirements. {@link #NOTHING} matches no object, whatever
 * its labels.
 */
public final class Selector {

    /** Matches every object; its text is empty. */
    public static final Selector EVERYTHING = new Selector(List.of());

    /** Matches no object; it has no text form. */
    public static final Selector NOTHING = new Selector(List.of());

    private final List<Requirement> requirements;

    /** Keys at even indexes, required values at odd ones; null if a requirement is not an equality. */
    private final String @Nullable [] equalities;

    private Selector(List<Requirement> requirements) {
        this.requirements = requirements;
        this.equalities = equalities(requirements);
    }

    private static String @Nullable [] equalities(List<Requirement> requirements) {
        String[] pairs = new String[requirements.size() * 2];
        int next = 0;
        for (Requirement requirement : requirements) {
            if (!requirement.isEquality()) {
                return null;
            }
            pairs[next++] = requirement.key();
            pairs[next++] = requirement.values().get(0);
        }
        return pairs;
    }

    /** Returns a selector of these requirements, sorted by key. An empty list selects every object. */
    public static Selector of(List<Requirement> requirements) {
        return requirements.isEmpty()
                ? EVERYTHING
                : new Selector(requirements.stream()
                        .sorted(Comparator.comparing(Requirement::key))
                        .toList());
    }

    /** Returns whether an object with these labels is selected. O(n) in the requirements. */
    public boolean matches(Map<String, String> labels) {
        if (equalities != null) {
            return !isNothing() && haveAll(labels, equalities);
        }
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The fast path: most selectors have equalities only, and a service's selector is tested on every pod of its
     * namespace.
     */
    private static boolean haveAll(Map<String, String> labels, String[] equalities) {
        for (int i = 0; i < equalities.length; i += 2) {
            if (!equalities[i + 1].equals(labels.get(equalities[i]))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this is {@link #EVERYTHING}. */
    public boolean isEmpty() {
        return requirements.isEmpty() && !isNothing();
    }

    /** Returns whether this is {@link #NOTHING}. */
    @SuppressWarnings("ReferenceEquality") // NOTHING is defined by its identity
    public boolean isNothing() {
        return this == NOTHING;
    }

    /** Returns the requirements, sorted by key. */
    public List<Requirement> requirements() {
        return requirements;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selector that
                && isNothing() == that.isNothing()
                && requirements.equals(that.requirements);
    }

    @Override
    public int hashCode() {
        return isNothing() ? 1 : requirements.hashCode();
    }

    /** Returns the canonical text, which an API server accepts; empty for both special selectors. */
    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }
}
