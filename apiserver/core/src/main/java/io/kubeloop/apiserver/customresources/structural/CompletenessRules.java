/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule that every field which is restricted under {@code anyOf}, {@code allOf}, {@code oneOf} or {@code not} is
 * also specified outside of them (upstream: {@code validateStructuralCompleteness}). Static functions only.
 */
final class CompletenessRules {

    private CompletenessRules() {}

    static void check(SchemaProps schema, String path, FieldErrors problems) {
        checkRules(schema, schema, path, path, problems);
    }

    private static void checkRules(
            SchemaProps rules, SchemaProps schema, String path, String rulesPath, FieldErrors problems) {
        checkNested(rules.not(), schema, path, rulesPath + ".not", problems);
        checkAll(rules.allOf(), schema, path, rulesPath + ".allOf", problems);
        checkAll(rules.anyOf(), schema, path, rulesPath + ".anyOf", problems);
        checkAll(rules.oneOf(), schema, path, rulesPath + ".oneOf", problems);
    }

    private static void checkAll(
            List<SchemaProps> all, SchemaProps schema, String path, String rulesPath, FieldErrors problems) {
        for (int i = 0; i < all.size(); i++) {
            checkNested(all.get(i), schema, path, rulesPath + "[" + i + "]", problems);
        }
    }

    private static void checkNested(
            @Nullable SchemaProps rules,
            @Nullable SchemaProps schema,
            String path,
            String rulesPath,
            FieldErrors problems) {
        if (rules == null) {
            return;
        }
        if (schema == null) {
            problems.required(path, "because it is defined in " + rulesPath);
            return;
        }
        checkRules(rules, schema, path, rulesPath, problems);
        checkNested(rules.items(), schema.items(), path + ".items", rulesPath + ".items", problems);
        rules.properties().forEach((name, property) -> {
            String suffix = ".properties[" + name + "]";
            checkNested(property, schema.properties().get(name), path + suffix, rulesPath + suffix, problems);
        });
    }
}
