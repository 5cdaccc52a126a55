/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Rules of what refers to signers of certificates: their names, bundles and annotations. */
public final class SignerRules {

    private static final int MAX_DOMAIN = 253;
    private static final int MAX_SIGNER = MAX_DOMAIN + 1 + MAX_DOMAIN + 63 + 1;
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;
    private static final int DAY = 24 * 60 * 60;

    private SignerRules() {}

    /** Validates the name of a signer. */
    public static void signer(FieldCursor signer) {
        if (!signer.require()) {
            return;
        }
        String[] segments = signer.text().split("/", -1);
        if (segments.length != 2) {
            signer.invalid("must be a fully qualified domain and path of the form 'example.com/signer-name'");
            return;
        }
        if (segments[0].length() > MAX_DOMAIN) {
            signer.errors().tooLong(signer.path(), MAX_DOMAIN);
        }
        FieldCursor domain = signer.holding(new JsonString(segments[0]));
        List<String> labels = List.of(segments[0].split("\\.", -1));
        labels.stream()
                .filter(label -> !NameValidation.dns1123Label(label).isEmpty())
                .findFirst()
                .ifPresent(label -> label(domain, label, NameValidation.dns1123Label(label)));
        if (labels.size() < 2) {
            domain.invalid("should be a domain with at least two segments separated by dots");
        }
        FieldCursor path = signer.holding(new JsonString(segments[1]));
        Stream.of(segments[1].split("\\.", -1))
                .filter(label -> !NameValidation.dns1123Subdomain(label).isEmpty())
                .findFirst()
                .ifPresent(label -> label(path, label, NameValidation.dns1123Subdomain(label)));
        if (signer.text().length() > MAX_SIGNER) {
            signer.errors().tooLong(signer.path(), MAX_SIGNER);
        }
    }

    private static void label(FieldCursor field, String label, List<String> problems) {
        problems.forEach(problem -> field.invalid("validating label \"" + label + "\": " + problem));
    }

    /** Returns the errors of the name of a bundle, which begins with the name of its signer if it has one. */
    public static List<String> bundleNameProblems(String name, String signer, boolean isPrefix) {
        if (signer.isEmpty()) {
            return name.contains(":")
                    ? List.of("ClusterTrustBundle without signer name must not have \":\" in its name")
                    : Names.dns1123Subdomain(name, isPrefix);
        }
        String prefix = signer.replace('/', ':') + ":";
        return name.startsWith(prefix)
                ? Names.dns1123Subdomain(name.substring(prefix.length()), isPrefix)
                : List.of("ClusterTrustBundle for signerName " + signer + " must be named with prefix " + prefix);
    }

    /** Validates the name of a bundle that a volume refers to. */
    static void bundleReference(FieldCursor name) {
        int end = name.text().lastIndexOf(':');
        String signer = end < 0 ? "" : name.text().substring(0, end).replace(':', '/');
        for (String problem : bundleNameProblems(name.text(), signer, false)) {
            name.invalid("not a valid clustertrustbundlename: " + problem);
        }
    }

    /** Validates annotations for a signer, whose keys have a domain. */
    public static void annotations(FieldCursor annotations) {
        int bytes = 0;
        for (var annotation : annotations.object().members().entrySet()) {
            String key = annotation.getKey().toLowerCase(Locale.ROOT);
            if (key.isEmpty()) {
                annotations.required("");
                continue;
            }
            FieldCursor shown = annotations.holding(new JsonString(key));
            List<String> problems = NameValidation.qualifiedName(key);
            shown.invalid(problems);
            if (problems.isEmpty() && !key.contains("/")) {
                shown.invalid("must be a domain-prefixed key (such as \"acme.io/foo\")");
            }
            bytes += key.length() + text(annotation.getValue()).length();
        }
        if (bytes > MAX_ANNOTATION_BYTES) {
            annotations.errors().tooLong(annotations.path(), MAX_ANNOTATION_BYTES);
        }
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString text ? text.value() : "";
    }

    /** Returns the longest life of a certificate of this signer in seconds. */
    public static int maxExpirationSeconds(FieldCursor signer) {
        String domain = signer.text().split("/", 2)[0];
        return domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io") ? DAY : 91 * DAY;
    }
}
