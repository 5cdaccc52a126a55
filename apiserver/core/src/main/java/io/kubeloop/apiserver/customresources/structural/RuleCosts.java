/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The estimated costs of the rules of one schema (upstream: {@code validation.TotalCost}). Used for one validation. */
final class RuleCosts {

    private static final long LIMIT = 10_000_000;
    private static final long TOTAL_LIMIT = 100_000_000;
    private static final int MOST_EXPENSIVE = 4;

    /** One expression that contributes at least a hundredth of the limit. */
    private record Expensive(String path, long cost) {}

    private final List<Expensive> expensive = new ArrayList<>();
    private long total;

    /**
     * Counts an expression.
     *
     * @param what the role of the expression, for messages
     * @param cost the estimated cost of its evaluations for one object
     */
    void add(String path, String what, long cost, FieldErrors problems) {
        if (cost > LIMIT) {
            problems.forbidden(path, exceeds("estimated " + what + " cost", cost, LIMIT));
        }
        total = total > Long.MAX_VALUE - cost ? Long.MAX_VALUE : total + cost;
        if (cost >= TOTAL_LIMIT / 100) {
            expensive.add(new Expensive(path, cost));
        }
    }

    /** Adds the problems of all expressions together. */
    void finish(String path, FieldErrors problems) {
        if (total <= TOTAL_LIMIT) {
            return;
        }
        expensive.stream()
                .sorted(Comparator.comparingLong(Expensive::cost).reversed())
                .limit(MOST_EXPENSIVE)
                .forEach(each -> problems.forbidden(
                        each.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
        String what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        problems.forbidden(path, exceeds(what, total, TOTAL_LIMIT));
    }

    private static String exceeds(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown + " (try simplifying the rule, or adding maxItems,"
                + " maxProperties, and maxLength where arrays, maps, and strings are declared)";
    }
}
