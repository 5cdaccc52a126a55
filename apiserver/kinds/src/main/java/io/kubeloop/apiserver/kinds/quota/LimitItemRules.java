/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.quota.Amounts;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Validation of one item of a limit range (upstream: {@code ValidateLimitRange}). Confined to the thread that
 * validates.
 */
final class LimitItemRules {

    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

    private static final Quantity ONE = Quantity.of(1);

    private final String path;
    private final JsonObject item;
    private final String type;
    private final FieldErrors errors;

    LimitItemRules(String path, JsonObject item, FieldErrors errors) {
        this.path = path;
        this.item = item;
        this.type = item.string("type");
        this.errors = errors;
    }

    /**
     * Validates the item.
     *
     * @param types the types of the previous items; the type of this item is added
     */
    void validate(Set<String> types) {
        type(types);
        Amounts max = named("max");
        Amounts min = named("min");
        Amounts limits = Amounts.NONE;
        Amounts requests = Amounts.NONE;
        if (type.equals("Pod")) {
            forbid("default");
            forbid("defaultRequest");
        } else {
            limits = named("default");
            requests = named("defaultRequest");
        }
        if (type.equals("PersistentVolumeClaim")
                && !max.names().contains("storage")
                && !min.names().contains("storage")) {
            errors.required(
                    path + ".limits", "either minimum or maximum storage value is required, but neither was provided");
        }
        Amounts ratios = named("maxLimitRequestRatio");
        Set<String> names = new TreeSet<>(max.names());
        names.addAll(min.names());
        names.addAll(limits.names());
        names.addAll(requests.names());
        names.addAll(ratios.names());
        for (String name : names) {
            Quantity least = min.byName().get(name);
            Quantity most = max.byName().get(name);
            order(
                    name,
                    least,
                    most,
                    limits.byName().get(name),
                    requests.byName().get(name));
            ratio(name, least, most, ratios.byName().get(name));
            same(name, limits.byName().get(name), requests.byName().get(name));
        }
    }

    private void type(Set<String> types) {
        if (NameValidation.qualifiedName(type).isEmpty()) {
            if (type.indexOf('/') < 0 && !TYPES.contains(type)) {
                errors.invalid(path + ".type", type, "must be a standard limit type or fully qualified");
            }
        } else {
            errors.invalid(path + ".type", type, NameValidation.qualifiedName(type));
        }
        if (!types.add(type)) {
            errors.duplicate(path + ".type", new JsonString(type));
        }
    }

    private void forbid(String amounts) {
        if (!item.object(amounts).isEmpty()) {
            errors.forbidden(path + "." + amounts, "may not be specified when `type` is 'Pod'");
        }
    }

    private Amounts named(String which) {
        Amounts amounts = Amounts.read(item.object(which));
        boolean ofContainers = type.equals("Pod") || type.equals("Container");
        for (String name : amounts.names()) {
            ResourceNames.validate(field(which, name), name, ofContainers, errors);
        }
        return amounts;
    }

    private String field(String which, String name) {
        return path + "." + which + "[" + name + "]";
    }

    /** Checks the order minimum ≤ default request ≤ default limit ≤ maximum. */
    private void order(
            String name,
            @Nullable Quantity min,
            @Nullable Quantity max,
            @Nullable Quantity limit,
            @Nullable Quantity request) {
        if (isBeyond(min, max)) {
            invalid("min", name, min, "min value " + min + " is greater than max value " + max);
        }
        if (isBeyond(min, request)) {
            invalid(
                    "defaultRequest",
                    name,
                    request,
                    "min value " + min + " is greater than default request value " + request);
        }
        if (isBeyond(request, max)) {
            invalid(
                    "defaultRequest",
                    name,
                    request,
                    "default request value " + request + " is greater than max value " + max);
        }
        if (isBeyond(request, limit)) {
            invalid(
                    "defaultRequest",
                    name,
                    request,
                    "default request value " + request + " is greater than default limit value " + limit);
        }
        // Upstream's message for these two cases contains the bound instead of the invalid default.
        if (isBeyond(min, limit)) {
            invalid("default", name, min, "min value " + min + " is greater than default value " + limit);
        }
        if (isBeyond(limit, max)) {
            invalid("default", name, max, "default value " + limit + " is greater than max value " + max);
        }
    }

    private void ratio(String name, @Nullable Quantity min, @Nullable Quantity max, @Nullable Quantity ratio) {
        if (isBeyond(ONE, ratio)) {
            invalid("maxLimitRequestRatio", name, ratio, "ratio " + ratio + " is less than 1");
        }
        if (ratio != null && min != null && max != null) {
            boolean fine = LimitPrecision.isFineBelow(ratio, min, max);
            double allowed = fine ? ratio.milliValue() / 1000.0 : ratio.value();
            double possible = fine
                    ? (double) max.milliValue() / (double) min.milliValue()
                    : (double) max.value() / (double) min.value();
            if (allowed > possible) {
                invalid(
                        "maxLimitRequestRatio",
                        name,
                        ratio,
                        "ratio " + ratio + " is greater than max/min = " + LimitPrecision.shown(possible));
            }
        }
    }

    /** Resources that cannot be overcommitted, such as devices and huge pages, need equal requests and limits. */
    private void same(String name, @Nullable Quantity limit, @Nullable Quantity request) {
        boolean shared = ResourceNames.isNative(name) && !name.startsWith("hugepages-");
        if (!shared && limit != null && request != null && !limit.equals(request)) {
            invalid(
                    "defaultRequest",
                    name,
                    request,
                    "default value " + limit + " must equal to defaultRequest value " + request + " in " + name);
        }
    }

    private static boolean isBeyond(@Nullable Quantity one, @Nullable Quantity other) {
        return one != null && other != null && one.compareTo(other) > 0;
    }

    private void invalid(String which, String name, @Nullable Quantity shown, String why) {
        errors.invalid(field(which, name), String.valueOf(shown), why);
    }
}
