/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonString;
import java.nio.charset.StandardCharsets;

/** The rules of the deprecation warning of a version, and the default warning. Static functions only. */
public final class DeprecationRules {

    private static final int MAX_BYTES = 256;

    private DeprecationRules() {}

    static void check(FieldCursor version) {
        FieldCursor warning = version.at("deprecationWarning");
        String text = warning.text();
        if (!warning.isSet()) {
            return;
        }
        if (!version.at("deprecated").isTrue()) {
            warning.invalid("can only be set for deprecated versions");
            return;
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            warning.invalid("must be <= 256 characters long");
        }
        if (text.isEmpty()) {
            warning.invalid("must not be an empty string");
        }
        int bytes = 0;
        for (int c : text.codePoints().toArray()) {
            if (!GoText.isPrintable(c)) {
                warning.invalid("must only contain printable UTF-8 characters; non-printable character found at index "
                        + bytes);
                return;
            }
            bytes += Character.toString(c).getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Returns the warning for the clients of a deprecated version. */
    public static String warning(Crd definition, Version version) {
        if (version.object().get("deprecationWarning") instanceof JsonString warning) {
            return warning.value();
        }
        String kind = definition.names().string("kind");
        String deprecated = definition.group() + "/" + version.name() + " " + kind + " is deprecated";
        return definition.versions().stream()
                .filter(other -> other.isServed() && !other.isDeprecated())
                .map(Version::name)
                .filter(other -> VersionOrder.compare(version.name(), other) < 0)
                .max(VersionOrder::compare)
                .map(newest -> deprecated + "; use " + definition.group() + "/" + newest + " " + kind)
                .orElse(deprecated);
    }
}
