/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.PodAmounts;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks the requests and limits of containers, pods and volume claims against a limit range, with upstream's messages.
 * Confined to the thread that admits.
 */
final class LimitCheck {

    private final Set<String> complaints = new LinkedHashSet<>();

    /** The requests and limits of one container or one pod. */
    private record PodResources(String type, Amounts requests, Amounts limits) {

        @Nullable
        Quantity request(String name) {
            return requests.byName().get(name);
        }

        @Nullable
        Quantity limit(String name) {
            return limits.byName().get(name);
        }

        ToLongFunction<Quantity> precision(String name, Quantity enforced) {
            return LimitPrecision.of(
                    requests.byName().getOrDefault(name, Quantity.ZERO),
                    limits.byName().getOrDefault(name, Quantity.ZERO),
                    enforced);
        }
    }

    /**
     * Returns the errors of a pod or a volume claim: a single one as it is, several in brackets; empty if there are
     * none.
     */
    static String complaint(JsonObject limitRange, String resource, JsonObject spec) {
        LimitCheck check = new LimitCheck();
        limitRange.array("spec", "limits").objects().forEach(item -> {
            if (resource.equals("pods")) {
                check.ofPod(item, spec);
            } else if (item.string("type").equals("PersistentVolumeClaim")) {
                check.ofClaim(item, PodAmounts.of(spec, "requests"));
            }
        });
        String joined = String.join(", ", check.complaints);
        return check.complaints.size() > 1 ? "[" + joined + "]" : joined;
    }

    private void ofPod(JsonObject item, JsonObject spec) {
        String type = item.string("type");
        if (type.equals("Container")) {
            PodAmounts.containers(spec)
                    .forEach(container -> constraints(
                            item,
                            new PodResources(
                                    type, PodAmounts.of(container, "requests"), PodAmounts.of(container, "limits"))));
        } else if (type.equals("Pod")) {
            constraints(
                    item,
                    new PodResources(
                            type, PodAmounts.effective(spec, "requests"), PodAmounts.effective(spec, "limits")));
        }
    }

    /** Claims have no limits; their requests must be within both bounds. */
    private void ofClaim(JsonObject item, Amounts requests) {
        PodResources requested = new PodResources(item.string("type"), requests, Amounts.NONE);
        Amounts.read(item.object("min")).byName().forEach((name, min) -> min(requested, name, min));
        Amounts.read(item.object("max")).byName().forEach((name, max) -> {
            ToLongFunction<Quantity> precision = requested.precision(name, max);
            Quantity request = requested.request(name);
            String rule = "maximum " + name + " usage per " + requested.type() + " is " + max;
            if (request == null) {
                complaints.add(rule + ".  No request is specified");
            } else if (precision.applyAsLong(request) > precision.applyAsLong(max)) {
                complaints.add(rule + ", but request is " + request);
            }
        });
    }

    private void constraints(JsonObject item, PodResources requested) {
        Amounts.read(item.object("min")).byName().forEach((name, min) -> min(requested, name, min));
        Amounts.read(item.object("max")).byName().forEach((name, max) -> max(requested, name, max));
        Amounts.read(item.object("maxLimitRequestRatio"))
                .byName()
                .forEach((name, ratio) -> ratio(requested, name, ratio));
    }

    private void min(PodResources requested, String name, Quantity min) {
        ToLongFunction<Quantity> precision = requested.precision(name, min);
        long least = precision.applyAsLong(min);
        Quantity request = requested.request(name);
        Quantity limit = requested.limit(name);
        String rule = "minimum " + name + " usage per " + requested.type() + " is " + min;
        if (request == null) {
            complaints.add(rule + ".  No request is specified");
        } else if (precision.applyAsLong(request) < least) {
            complaints.add(rule + ", but request is " + request);
        } else if (limit != null && precision.applyAsLong(limit) < least) {
            complaints.add(rule + ", but limit is " + limit);
        }
    }

    private void max(PodResources requested, String name, Quantity max) {
        ToLongFunction<Quantity> precision = requested.precision(name, max);
        long most = precision.applyAsLong(max);
        Quantity request = requested.request(name);
        Quantity limit = requested.limit(name);
        String rule = "maximum " + name + " usage per " + requested.type() + " is " + max;
        if (limit == null) {
            complaints.add(rule + ".  No limit is specified");
        } else if (precision.applyAsLong(limit) > most) {
            complaints.add(rule + ", but limit is " + limit);
        } else if (request != null && precision.applyAsLong(request) > most) {
            complaints.add(rule + ", but request is " + request);
        }
    }

    private void ratio(PodResources requested, String name, Quantity max) {
        ToLongFunction<Quantity> precision = requested.precision(name, max);
        Quantity request = requested.request(name);
        Quantity limit = requested.limit(name);
        String rule = name + " max limit to request ratio per " + requested.type() + " is " + max;
        if (request == null || precision.applyAsLong(request) == 0) {
            complaints.add(rule + ", but no request is specified or request is 0");
            return;
        }
        if (limit == null || precision.applyAsLong(limit) == 0) {
            complaints.add(rule + ", but no limit is specified or limit is 0");
            return;
        }
        double ratio = (double) precision.applyAsLong(limit) / (double) precision.applyAsLong(request);
        ToLongFunction<Quantity> ofRatio = LimitPrecision.of(max);
        double scaled = ratio * ofRatio.applyAsLong(Quantity.of(1));
        if (scaled > ofRatio.applyAsLong(max)) {
            complaints.add(rule + ", but provided ratio is " + LimitPrecision.shown(ratio));
        }
    }
}
