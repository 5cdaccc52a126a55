/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a value against {@code anyOf}, {@code oneOf}, {@code allOf} and {@code not}. The errors of an alternative that
 * passes the most checks are reported. Static functions only.
 */
final class LogicalSchemas {

    private LogicalSchemas() {}

    static ValueResult check(SchemaProps schema, JsonValue value, String path) {
        ValueResult result = new ValueResult();
        if (!schema.anyOf().isEmpty()) {
            anyOf(schema.anyOf(), value, path, result);
        }
        if (!schema.oneOf().isEmpty()) {
            oneOf(schema.oneOf(), value, path, result);
        }
        if (!schema.allOf().isEmpty()) {
            allOf(schema.allOf(), value, path, result);
        }
        SchemaProps not = schema.not();
        if (not != null && SchemaCheck.check(not, value, path, null).isValid()) {
            result.general(GoText.quoted(path) + " must not validate the schema (not)");
        }
        return result.count();
    }

    private static void anyOf(List<SchemaProps> alternatives, JsonValue value, String path, ValueResult result) {
        ValueResult best = null;
        for (SchemaProps alternative : alternatives) {
            ValueResult one = SchemaCheck.check(alternative, value, path, null);
            if (one.isValid()) {
                result.merge(one);
                return;
            }
            best = better(best, one);
        }
        result.general(GoText.quoted(path) + " must validate at least one schema (anyOf)");
        if (best != null) {
            result.merge(best);
        }
    }

    private static ValueResult better(@Nullable ValueResult best, ValueResult other) {
        return best == null || other.matches() > best.matches() ? other : best;
    }

    private static void oneOf(List<SchemaProps> alternatives, JsonValue value, String path, ValueResult result) {
        ValueResult best = null;
        ValueResult first = null;
        int valid = 0;
        for (SchemaProps alternative : alternatives) {
            ValueResult one = SchemaCheck.check(alternative, value, path, null);
            if (one.isValid()) {
                valid++;
                best = null;
                first = first == null ? one : first;
            } else if (valid == 0) {
                best = better(best, one);
            }
        }
        if (valid == 1 && first != null) {
            result.merge(first);
            return;
        }
        String found = valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives";
        result.general(GoText.quoted(path) + " must validate one and only one schema (oneOf). " + found);
        if (best != null) {
            result.merge(best);
        }
    }

    private static void allOf(List<SchemaProps> parts, JsonValue value, String path, ValueResult result) {
        int valid = 0;
        for (SchemaProps part : parts) {
            ValueResult one = SchemaCheck.check(part, value, path, null);
            valid += one.isValid() ? 1 : 0;
            result.merge(one);
        }
        if (valid < parts.size()) {
            result.general(GoText.quoted(path) + " must validate all the schemas (allOf)"
                    + (valid == 0 ? ". None validated" : ""));
        }
    }
}
