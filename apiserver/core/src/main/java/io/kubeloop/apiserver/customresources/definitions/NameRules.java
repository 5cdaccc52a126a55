/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.List;
import java.util.Locale;

/** The rules of the names of a resource. Static functions only. */
final class NameRules {

    private NameRules() {}

    static void checkRequired(FieldCursor names) {
        for (String name : List.of("plural", "singular", "kind", "listKind")) {
            names.at(name).require();
        }
    }

    static void check(FieldCursor names) {
        FieldCursor kind = names.at("kind");
        FieldCursor listKind = names.at("listKind");
        checkIfSet(names.at("plural"));
        checkIfSet(names.at("singular"));
        checkKind(kind);
        checkKind(listKind);
        names.at("shortNames").each(name -> check(name, name.text(), ""));
        if (!kind.isEmpty() && kind.isSameAs(listKind)) {
            listKind.invalid("kind and listKind may not be the same");
        }
        names.at("categories").each(name -> check(name, name.text(), ""));
    }

    /** Adds an error unless the field is empty or a label of RFC 1035. */
    static void checkIfSet(FieldCursor name) {
        if (!name.isEmpty()) {
            check(name, name.text(), "");
        }
    }

    private static void checkKind(FieldCursor kind) {
        if (!kind.isEmpty()) {
            check(kind, kind.text().toLowerCase(Locale.ROOT), "may have mixed case, but should otherwise match: ");
        }
    }

    /** Adds one error about the field, if the text is no label of RFC 1035. */
    static void check(FieldCursor field, String text, String prefix) {
        List<String> errors = NameValidation.dns1035Label(text);
        if (!errors.isEmpty()) {
            field.invalid(prefix + String.join(",", errors));
        }
    }
}
