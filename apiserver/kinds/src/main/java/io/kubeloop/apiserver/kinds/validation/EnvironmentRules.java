/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Validation of environment variables and of the references to fields of the own pod. */
final class EnvironmentRules {

    /** The fields of a pod that its volumes may contain. */
    static final List<String> VOLUME_FIELDS =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private static final List<String> VARIABLE_FIELDS = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    /** All fields that a reference may name; each use allows some of them. */
    private static final Set<String> FIELDS = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    private static final List<String> RESOURCE_FIELDS = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    private static final Set<String> SIZES =
            Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
    private static final String SIZE =
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
                    + " supported with the %s resource";

    private static final Pattern SUBSCRIPT = Pattern.compile("([^\\[]+)\\['(.*)'\\]");
    private static final List<String> SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

    private EnvironmentRules() {}

    /** Validates a variable. */
    static void variable(FieldCursor variable) {
        FieldCursor name = variable.at("name");
        if (name.require()) {
            name.follows(EnvironmentRules::variableName);
        }
        variable.at("valueFrom").ifSet(source -> valueFrom(source, variable.at("value")));
    }

    private static List<String> variableName(String name) {
        boolean valid = name.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '=');
        return valid
                ? List.of()
                : List.of(
                        "a valid environment variable name must consist only of printable ASCII characters other than "
                                + "'='");
    }

    private static void valueFrom(FieldCursor source, FieldCursor value) {
        source.at("fieldRef").ifSet(field -> fieldRef(field, VARIABLE_FIELDS));
        source.at("resourceFieldRef").ifSet(resource -> resourceRef(resource, false));
        source.at("configMapKeyRef").ifSet(EnvironmentRules::keyRef);
        source.at("secretKeyRef").ifSet(EnvironmentRules::keyRef);
        source.at("fileKeyRef").ifSet(EnvironmentRules::fileRef);
        long sources = SOURCES.stream().filter(kind -> source.at(kind).isSet()).count();
        FieldCursor shown = source.holding(new JsonString(""));
        if (sources == 0) {
            shown.invalid("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                    + " `fileKeyRef`");
        } else if (!value.isEmpty()) {
            shown.invalid("may not be specified when `value` is not empty");
        } else if (sources > 1) {
            shown.invalid("may not have more than one field specified at a time");
        }
    }

    private static void fileRef(FieldCursor reference) {
        reference.at("key").require();
        FieldCursor volume = reference.at("volumeName");
        if (volume.require()) {
            volume.follows(NameValidation::dns1123Label);
        }
        if (reference.at("path").require()) {
            VolumeSourceRules.noBacksteps(reference.at("path"));
        }
    }

    /** Validates that the files from which containers of a pod take variables are in directories of the pod. */
    static void files(FieldCursor spec) {
        Map<String, JsonObject> volumes = new HashMap<>();
        spec.at("volumes").each(volume -> volumes.put(volume.at("name").text(), volume.object()));
        for (String list : List.of("initContainers", "containers", EphemeralContainers.LIST)) {
            spec.at(list)
                    .each(container -> container
                            .at("env")
                            .each(variable -> variable.at("valueFrom", "fileKeyRef")
                                    .ifSet(file -> file(file.at("volumeName"), volumes))));
        }
    }

    private static void file(FieldCursor volume, Map<String, JsonObject> volumes) {
        JsonObject found = volumes.get(volume.text());
        if (found == null) {
            volume.errors().notFound(volume.path(), volume.text());
        } else if (!found.has("emptyDir")) {
            volume.invalid("referenced volume must be of type emptyDir");
        }
    }

    private static void keyRef(FieldCursor reference) {
        reference.at("name").follows(NameValidation::dns1123Subdomain);
        if (reference.at("key").require()) {
            reference.at("key").follows(NameValidation::configMapKey);
        }
    }

    static void fieldRef(FieldCursor reference, List<String> allowed) {
        FieldCursor path = reference.at("fieldPath");
        if (!reference.at("apiVersion").require() || !path.require()) {
            return;
        }
        String version = reference.at("apiVersion").text();
        Matcher subscript = SUBSCRIPT.matcher(path.text());
        boolean hasSubscript = subscript.matches();
        String field =
                hasSubscript ? subscript.group(1) : path.text().equals("spec.host") ? "spec.nodeName" : path.text();
        if (!version.equals("v1")) {
            path.invalid("error converting fieldPath: unsupported pod version: " + version);
        } else if (hasSubscript && field.equals("metadata.annotations")) {
            reference
                    .holding(new JsonString(subscript.group(2).toLowerCase(Locale.ROOT)))
                    .follows(NameValidation::qualifiedName);
        } else if (hasSubscript && field.equals("metadata.labels")) {
            reference.holding(new JsonString(subscript.group(2))).follows(NameValidation::qualifiedName);
        } else if (hasSubscript) {
            path.invalid("error converting fieldPath: field label does not support subscript: " + path.text());
        } else if (!FIELDS.contains(field)) {
            path.invalid("error converting fieldPath: field label not supported: " + path.text());
        } else {
            path.holding(new JsonString(field)).oneOf(allowed);
        }
    }

    static void resourceRef(FieldCursor reference, boolean inVolume) {
        FieldCursor resource = reference.at("resource");
        String name = resource.text();
        boolean isPages = name.startsWith("requests.hugepages-") || name.startsWith("limits.hugepages-");
        if (inVolume && reference.at("containerName").isEmpty()) {
            reference.at("containerName").required("");
        } else if (resource.require() && !isPages) {
            resource.oneOf(RESOURCE_FIELDS);
        }
        FieldCursor divisor = reference.at("divisor");
        if (divisor.value() == null) {
            return;
        }
        Quantity amount = Quantities.of(divisor.value());
        String problem = isPages ? SIZE.formatted("hugepages") : divisorRule(name);
        Set<String> allowed = name.endsWith(".cpu") ? Set.of("1m", "1") : SIZES;
        if (amount.signum() != 0 && !problem.isEmpty() && !allowed.contains(amount.toString())) {
            divisor.holding(new JsonString(name)).invalid(problem);
        }
    }

    private static String divisorRule(String resource) {
        return switch (resource.substring(resource.indexOf('.') + 1)) {
            case "cpu" -> "only divisor's values 1m and 1 are supported with the cpu resource";
            case "memory" -> SIZE.formatted("memory");
            case "ephemeral-storage" -> SIZE.formatted("local ephemeral storage");
            default -> "";
        };
    }

    private static void objectName(FieldCursor reference) {
        if (reference.at("name").require()) {
            reference.at("name").follows(NameValidation::dns1123Subdomain);
        }
    }

    static void source(FieldCursor list, FieldCursor source) {
        source.at("prefix").followsIfSet(EnvironmentRules::variableName);
        source.at("configMapRef").ifSet(EnvironmentRules::objectName);
        source.at("secretRef").ifSet(EnvironmentRules::objectName);
        boolean map = source.at("configMapRef").isSet();
        boolean secret = source.at("secretRef").isSet();
        FieldCursor shown = list.holding(new JsonString(""));
        if (!map && !secret) {
            shown.invalid("must specify one of: `configMapRef` or `secretRef`");
        } else if (map && secret) {
            shown.invalid("may not have more than one field specified at a time");
        }
    }
}
