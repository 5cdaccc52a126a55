/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.device;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.VolumeRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Validation of device classes, resource claims and their templates (upstream: {@code pkg/apis/resource/validation}).
 */
public final class DeviceClaimRules {

    private static final int MAX_REQUESTS = 32;
    private static final int MAX_ALTERNATIVES = 8;
    private static final int MAX_CONSTRAINTS = 32;
    private static final int MAX_CONFIGURATIONS = 32;
    private static final List<String> MODES = List.of("All", "ExactCount");
    private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    private static final List<String> OPERATORS = List.of("Equal", "Exists");
    private static final String NO_REQUEST =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    private static final String QUOTA_PREFIX = "requests.";

    private DeviceClaimRules() {}

    /** Validates a device class. */
    public static void deviceClass(FieldCursor deviceClass) {
        FieldCursor spec = deviceClass.at("spec");
        DeviceFields.selectors(spec.at("selectors"));
        DeviceFields.list(spec.at("config"), MAX_CONFIGURATIONS, DeviceFields::configuration);
        spec.at("extendedResourceName").declared().ifSet(name -> {
            String text = name.text();
            if (!text.contains("/")) {
                name.invalid("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
            } else if (text.contains("kubernetes.io/")) {
                name.invalid("must not have \"kubernetes.io/\" domain");
            }
            if (text.startsWith(QUOTA_PREFIX)) {
                name.invalid("must not have \"" + QUOTA_PREFIX + "\" prefix");
            }
            name.invalid(NameValidation.qualifiedName(QUOTA_PREFIX + text));
        });
    }

    /** Validates a new claim. */
    public static void claim(FieldCursor claim) {
        devices(claim.at("spec", "devices"));
    }

    /** Validates a change of a claim. */
    public static void claimUpdate(FieldCursor claim, FieldCursor old) {
        claim.at("spec").declared().unchanged(old.at("spec"));
    }

    /** Validates a template of claims. */
    public static void template(FieldCursor template) {
        FieldCursor spec = template.at("spec");
        VolumeRules.ownMetadata(spec.at("metadata"));
        devices(spec.at("spec", "devices"));
    }

    /** Validates a change of a template. */
    public static void templateUpdate(FieldCursor template, FieldCursor old) {
        FieldCursor spec = template.at("spec");
        if (!spec.isSameAs(old.at("spec"))) {
            InternalForm.shown("resource.v1.ResourceClaimTemplateSpec", spec).invalid("field is immutable");
        }
    }

    private static void devices(FieldCursor devices) {
        Map<String, Set<String>> names = requestNames(devices);
        DeviceFields.unique(devices.at("requests"), MAX_REQUESTS, DeviceClaimRules::request, "name");
        DeviceFields.list(devices.at("constraints"), MAX_CONSTRAINTS, constraint -> constraint(constraint, names));
        DeviceFields.list(devices.at("config"), MAX_CONFIGURATIONS, config -> {
            requestReferences(config.at("requests"), names);
            DeviceFields.configuration(config);
        });
    }

    /** Returns the names of the requests of a claim, each with the names of its alternatives. */
    static Map<String, Set<String>> requestNames(FieldCursor devices) {
        Map<String, Set<String>> names = new HashMap<>();
        devices.at("requests")
                .each(request -> names.put(
                        request.at("name").text(),
                        request.at("firstAvailable").items().stream()
                                .map(alternative -> alternative.at("name").text())
                                .collect(Collectors.toSet())));
        return names;
    }

    /** Validates a list of names of requests. */
    static void requestReferences(FieldCursor list, Map<String, Set<String>> names) {
        DeviceFields.unique(list, MAX_REQUESTS, name -> requestReference(name, names));
    }

    /** Validates the name of a request, or that of a request and one of its alternatives. */
    static void requestReference(FieldCursor reference, Map<String, Set<String>> names) {
        FieldCursor shown = reference.holdingText();
        List<String> parts = List.of(reference.text().split("/", -1));
        if (parts.size() > 2) {
            shown.invalid(NO_REQUEST);
            return;
        }
        parts.forEach(part -> shown.errors().invalid(shown.path(), part, NameValidation.dns1123Label(part)));
        Set<String> alternatives = names.get(parts.get(0));
        if (alternatives == null || (parts.size() == 2 && !alternatives.contains(parts.get(1)))) {
            shown.invalid(NO_REQUEST);
        }
    }

    private static void request(FieldCursor request) {
        FieldCursor exactly = request.at("exactly");
        FieldCursor alternatives = request.at("firstAvailable");
        String exactlyOne = "exactly one of `exactly` or `firstAvailable` is required";
        request.at("name").follows(NameValidation::dns1123Label);
        if (!exactly.isSet() && alternatives.isEmpty()) {
            request.required(exactlyOne);
        } else if (exactly.isSet() && !alternatives.isEmpty()) {
            request.holding(null).invalid(exactlyOne + ", but multiple fields are set");
            declared(exactly);
            DeviceFields.unique(
                    alternatives,
                    MAX_ALTERNATIVES,
                    alternative -> {
                        className(alternative);
                        declared(alternative);
                    },
                    "name");
        } else if (exactly.isSet()) {
            if (exactly.at("deviceClassName").require()) {
                exactly.at("deviceClassName").follows(NameValidation::dns1123Subdomain);
            }
            exactRequest(exactly);
        } else {
            DeviceFields.unique(
                    alternatives,
                    MAX_ALTERNATIVES,
                    alternative -> {
                        alternative.at("name").follows(NameValidation::dns1123Label);
                        className(alternative);
                        exactRequest(alternative);
                    },
                    "name");
        }
    }

    private static void exactRequest(FieldCursor request) {
        DeviceFields.selectors(request.at("selectors"));
        FieldCursor count = request.at("count").holdingNumber();
        switch (request.at("allocationMode").text()) {
            case "All" -> {
                if (count.number() != 0) {
                    count.invalid("must not be specified when allocationMode is 'All'");
                }
            }
            case "ExactCount" -> count.positive();
            default -> {}
        }
        declared(request);
        request.at("tolerations").each(DeviceClaimRules::toleration);
    }

    private static void className(FieldCursor alternative) {
        FieldCursor className = alternative.at("deviceClassName").declared();
        if (className.require()) {
            className.follows(DeclaredFormats::longName);
        }
    }

    /** Checks the rules that upstream declares beside the type, which hold in any case. */
    private static void declared(FieldCursor request) {
        request.at("allocationMode").declared().oneOf(MODES);
        request.at("tolerations").each(toleration -> {
            toleration.at("key").declared().followsIfSet(NameValidation::qualifiedName);
            FieldCursor operator = toleration.at("operator");
            if (!operator.isEmpty()) {
                operator.declared().oneOf(OPERATORS);
            }
            if (!toleration.at("effect").isEmpty()) {
                toleration.at("effect").declared().oneOf(EFFECTS);
            }
        });
    }

    private static void toleration(FieldCursor toleration) {
        FieldCursor value = toleration.at("value");
        switch (toleration.at("operator").text()) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    value.invalid("must be empty for operator `Exists`");
                }
            }
            case "Equal" -> value.follows(NameValidation::labelValue);
            case "" -> toleration.at("operator").declared().required("");
            default -> {}
        }
    }

    /** Validates the taint of a device. */
    static void taint(FieldCursor taint) {
        taint(taint, Set.of());
    }

    /**
     * Validates a taint of a device.
     *
     * @param effects further effects that are allowed
     */
    static void taint(FieldCursor taint, Set<String> effects) {
        taint.at("key").follows(NameValidation::qualifiedName);
        taint.at("value").followsIfSet(NameValidation::labelValue);
        if (!effects.contains(taint.at("effect").text())) {
            taint.at("effect").declared().requireOneOf(EFFECTS);
        }
    }

    private static void constraint(FieldCursor constraint, Map<String, Set<String>> names) {
        requestReferences(constraint.at("requests"), names);
        FieldCursor same = constraint.at("matchAttribute");
        FieldCursor distinct = constraint.at("distinctAttribute");
        same.ifSet(DeviceFields::fullName);
        distinct.ifSet(DeviceFields::fullName);
        if (!same.isSet() && !distinct.isSet()) {
            constraint.required("exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
                    + " fields are set");
        }
    }
}
