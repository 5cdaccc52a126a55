/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Quantities of resources by name (upstream: {@code core/v1.ResourceList}, {@code pkg/quota/v1/resources.go}).
 * Immutable.
 *
 * @param byName the quantities; an absent resource is unspecified, which differs from zero
 */
public record Amounts(NavigableMap<String, Quantity> byName) {

    /** No quantities. */
    public static final Amounts NONE = new Amounts(new TreeMap<>());

    /** Wraps the map, which the caller must not modify later. */
    public Amounts {
        byName = Collections.unmodifiableNavigableMap(byName);
    }

    /** Reads a map of names and quantities. Quantities are rounded up to thousandths, the smallest unit. */
    public static Amounts read(JsonObject object) {
        NavigableMap<String, Quantity> read = new TreeMap<>();
        object.members().forEach((name, value) -> read.put(name, rounded(Quantities.of(value))));
        return new Amounts(read);
    }

    private static Quantity rounded(Quantity amount) {
        BigDecimal exact = amount.amount();
        return exact.scale() <= 3 ? amount : Quantity.of(exact.setScale(3, RoundingMode.UP), amount.format());
    }

    /** Returns the names, sorted. */
    public Set<String> names() {
        return byName.navigableKeySet();
    }

    /** Returns the quantities as JSON. */
    public JsonObject json() {
        JsonObject.Builder json = JsonObject.builder();
        byName.forEach((name, amount) -> json.put(name, amount.toString()));
        return json.build();
    }

    /** Returns whether there are no quantities. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns whether another map has the same names with the same amounts, in any notation. */
    public boolean isSameAs(Amounts other) {
        return byName.keySet().equals(other.byName.keySet())
                && byName.entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue().compareTo(other.byName.getOrDefault(entry.getKey(), Quantity.ZERO))
                                        == 0);
    }

    /** Returns these quantities with one added or replaced. */
    public Amounts with(String name, Quantity amount) {
        NavigableMap<String, Quantity> more = new TreeMap<>(byName);
        more.put(name, amount);
        return new Amounts(more);
    }

    /** Returns only the quantities of the selected names. */
    public Amounts only(Predicate<String> names) {
        NavigableMap<String, Quantity> kept = new TreeMap<>(byName);
        kept.keySet().removeIf(names.negate());
        return new Amounts(kept);
    }

    /** Returns these quantities, completed by those of another map. */
    public Amounts orElse(Amounts other) {
        return merged(other, (one, two) -> one);
    }

    /** Returns the sum for each name. */
    public Amounts plus(Amounts other) {
        return merged(other, Quantity::plus);
    }

    /** Returns the maximum for each name. */
    public Amounts max(Amounts other) {
        return merged(other, (one, two) -> one.compareTo(two) >= 0 ? one : two);
    }

    /** Returns the difference to another map for each name with a larger quantity here. */
    public Amounts beyond(Amounts other) {
        NavigableMap<String, Quantity> more = new TreeMap<>();
        byName.forEach((name, amount) -> {
            Quantity difference = amount.minus(other.byName.getOrDefault(name, Quantity.ZERO));
            if (difference.signum() > 0) {
                more.put(name, difference);
            }
        });
        return new Amounts(more);
    }

    private Amounts merged(Amounts other, BinaryOperator<Quantity> both) {
        NavigableMap<String, Quantity> result = new TreeMap<>(byName);
        other.byName.forEach((name, amount) -> result.merge(name, amount, both));
        return new Amounts(result);
    }

    /** Returns the quantities in the form of the error messages, such as {@code cpu=1,pods=2}. */
    @Override
    public String toString() {
        return byName.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
