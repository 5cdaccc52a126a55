/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Locale;

/** The rules of the names of a resource. Static functions only. */
final class NameRules {

    private NameRules() {}

    static void checkRequired(String path, JsonObject names, FieldErrors problems) {
        for (String name : List.of("plural", "singular", "kind", "listKind")) {
            if (names.string(name).isEmpty()) {
                problems.required(path + "." + name, "");
            }
        }
    }

    static void check(String path, JsonObject names, FieldErrors problems) {
        for (String name : List.of("plural", "singular")) {
            checkLabel(path + "." + name, names.string(name), problems);
        }
        String kind = names.string("kind");
        String listKind = names.string("listKind");
        checkKind(path + ".kind", kind, problems);
        checkKind(path + ".listKind", listKind, problems);
        checkAll(path + ".shortNames", names.array("shortNames").strings().toList(), problems);
        if (!kind.isEmpty() && kind.equals(listKind)) {
            problems.invalid(path + ".listKind", listKind, "kind and listKind may not be the same");
        }
        checkAll(path + ".categories", names.array("categories").strings().toList(), problems);
    }

    private static void checkLabel(String path, String name, FieldErrors problems) {
        List<String> errors = NameValidation.dns1035Label(name);
        if (!name.isEmpty() && !errors.isEmpty()) {
            problems.invalid(path, name, String.join(",", errors));
        }
    }

    private static void checkKind(String path, String kind, FieldErrors problems) {
        List<String> errors = NameValidation.dns1035Label(kind.toLowerCase(Locale.ROOT));
        if (!kind.isEmpty() && !errors.isEmpty()) {
            problems.invalid(
                    path, kind, "may have mixed case, but should otherwise match: " + String.join(",", errors));
        }
    }

    private static void checkAll(String path, List<String> names, FieldErrors problems) {
        for (int i = 0; i < names.size(); i++) {
            List<String> errors = NameValidation.dns1035Label(names.get(i));
            if (!errors.isEmpty()) {
                problems.invalid(path + "[" + i + "]", names.get(i), String.join(",", errors));
            }
        }
    }
}
