/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import io.kubeloop.apiserver.fielderrors.Digits;
import io.kubeloop.apiserver.fielderrors.FieldCursor;

/** Validation of the policy by which a Job succeeds early, and of lists of indexes such as {@code 0,2-5}. */
final class SuccessRules {

    private static final int MAX_RULES = 20;
    private static final int MAX_INDEXES = 64 * 1024;

    private SuccessRules() {}

    /** The number of indexes in a list, and the problem of its text; empty if it is valid. */
    record Indexes(long count, String problem) {}

    static void policy(FieldCursor policy, long completions) {
        FieldCursor rules = policy.at("rules");
        rules.require("at least one rules must be specified when the successPolicy is specified");
        rules.atMost(MAX_RULES);
        rules.each(rule -> rule(rule, completions));
    }

    private static void rule(FieldCursor rule, long completions) {
        FieldCursor count = rule.at("succeededCount");
        FieldCursor indexes = rule.at("succeededIndexes");
        if (!count.isSet() && !indexes.isSet()) {
            rule.required("at least one of succeededCount or succeededIndexes must be specified");
        }
        Indexes parsed = parse(indexes.text(), completions);
        if (indexes.text().length() > MAX_INDEXES) {
            indexes.errors().tooLong(indexes.path(), MAX_INDEXES);
        }
        if (!parsed.problem().isEmpty()) {
            indexes.invalid("error parsing succeededIndexes: " + parsed.problem());
        }
        count.nonNegative();
        if (count.isSet() && count.number() > completions) {
            count.invalid("must be less than or equal to " + completions + " (the number of specified completions)");
        }
        if (count.isSet() && indexes.isSet() && count.number() > parsed.count()) {
            count.invalid("must be less than or equal to " + parsed.count()
                    + " (the number of indexes in the specified succeededIndexes field)");
        }
    }

    /** Parses a list of ascending indexes and ranges. */
    static Indexes parse(String text, long completions) {
        long count = 0;
        long last = -1;
        if (text.isEmpty()) {
            return new Indexes(0, "");
        }
        for (String interval : text.split(",", -1)) {
            String[] limits = interval.split("-", -1);
            if (limits.length > 2) {
                return new Indexes(
                        0,
                        "the fragment \"" + interval
                                + "\" violates the requirement that an index interval can have at most two parts "
                                + "separated by '-'");
            }
            long[] numbers = new long[limits.length];
            for (int i = 0; i < limits.length; i++) {
                String problem = problem(limits[i], completions);
                if (!problem.isEmpty()) {
                    return new Indexes(0, problem);
                }
                numbers[i] = Long.parseLong(limits[i]);
            }
            long first = numbers[0];
            long end = numbers[numbers.length - 1];
            if (limits.length > 1 && first >= end) {
                return new Indexes(0, "non-increasing order, previous: " + first + ", current: " + end);
            }
            if (last >= first) {
                return new Indexes(0, "non-increasing order, previous: " + last + ", current: " + first);
            }
            count += end - first + 1;
            last = end;
        }
        return new Indexes(count, "");
    }

    private static String problem(String index, long completions) {
        if (!Digits.areSigned(index, 10)) {
            return "cannot convert string to integer for index: \"" + index + "\"";
        }
        return Long.parseLong(index) >= completions ? "too large index: \"" + index + "\"" : "";
    }
}
