/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.network;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.json.tree.JsonString;
import java.util.ArrayList;
import java.util.List;

/** Validation of ingresses and ingress classes (upstream: {@code pkg/apis/networking/validation}). */
public final class IngressRules {

    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
    private static final List<String> PATH_TYPES = List.of("Exact", "ImplementationSpecific", "Prefix");
    private static final List<String> BAD_SEQUENCES = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> BAD_ENDS = List.of("/..", "/.");
    private static final List<String> SCOPES = List.of("Cluster", "Namespace");
    private static final String NO_IP = "must be a DNS name, not an IP address";
    private static final int MAX_CONTROLLER = 250;
    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_PORT = 65535;
    private static final String HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    private static final Pattern HTTP_PATH_PATTERN = Pattern.compile(HTTP_PATH);
    private static final String WILDCARD = "\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final Pattern WILDCARD_PATTERN = Pattern.compile(WILDCARD);

    private IngressRules() {}

    /** Validates an ingress. */
    public static void ingress(FieldCursor ingress) {
        FieldCursor spec = ingress.at("spec");
        FieldCursor backend = spec.at("defaultBackend");
        FieldCursor rules = spec.at("rules");
        if (rules.isEmpty() && !backend.isSet()) {
            rules.named(spec.path()).invalid("either `defaultBackend` or `rules` must be specified");
        }
        backend.ifSet(IngressRules::backend);
        rules.each(IngressRules::rule);
        spec.at("tls").each(IngressRules::tls);
        spec.at("ingressClassName").ifSet(name -> name.follows(NameValidation::dns1123Subdomain));
    }

    /** Rejects fields that only a new ingress must not have. */
    public static void create(FieldCursor ingress) {
        FieldCursor annotation = ingress.at("metadata", "annotations", CLASS_ANNOTATION);
        FieldCursor name = ingress.at("spec", "ingressClassName");
        if (annotation.isSet() && name.isSet() && !annotation.isSameAs(name)) {
            annotation
                    .named("annotations." + CLASS_ANNOTATION)
                    .invalid("must match `ingressClassName` when both are specified");
        }
    }

    /** Validates the addresses of a load balancer in a status. */
    public static void status(FieldCursor ingress, FieldCursor old) {
        List<String> kept = old.at("status", "loadBalancer", "ingress")
                .array()
                .objects()
                .map(point -> point.string("ip"))
                .filter(ip -> !ip.isEmpty())
                .toList();
        ingress.at("status", "loadBalancer", "ingress").each(point -> {
            FieldCursor ip = point.at("ip");
            FieldCursor host = point.at("hostname");
            if (!ip.isEmpty()) {
                boolean unused = AddressRules.ip(ip.path(), ip.text(), kept, ip.errors());
            }
            host.followsIfSet(NameValidation::dns1123Subdomain);
            if (IpAddress.parseSloppy(host.text()) != null) {
                host.invalid(NO_IP);
            }
        });
    }

    /** Returns the warnings about a new ingress. */
    public static List<String> warnings(FieldCursor ingress) {
        return ingress.at("metadata", "annotations", CLASS_ANNOTATION).isSet()
                        && !ingress.at("spec", "ingressClassName").isSet()
                ? List.of("annotation \"" + CLASS_ANNOTATION
                        + "\" is deprecated, please use 'spec.ingressClassName' instead")
                : List.of();
    }

    /** Returns the warnings about a status. */
    public static List<String> statusWarnings(FieldCursor ingress) {
        List<String> warnings = new ArrayList<>();
        ingress.at("status", "loadBalancer", "ingress")
                .each(point -> warnings.addAll(
                        AddressRules.ipWarnings(point.path(), point.at("ip").text())));
        return warnings;
    }

    private static void rule(FieldCursor rule) {
        FieldCursor host = rule.at("host");
        if (IpAddress.parseSloppy(host.text()) != null) {
            host.invalid(NO_IP);
        }
        host.followsIfSet(IngressRules::host);
        FieldCursor http = rule.at("http");
        http.ifSet(set -> {
            if (set.at("paths").require()) {
                set.at("paths").each(IngressRules::path);
            }
        });
    }

    private static List<String> host(String host) {
        if (!host.contains("*")) {
            return NameValidation.dns1123Subdomain(host);
        }
        List<String> problems = new ArrayList<>();
        if (host.length() > MAX_SUBDOMAIN) {
            problems.add("must be no more than " + MAX_SUBDOMAIN + " characters");
        }
        if (!WILDCARD_PATTERN.matcher(host).matches()) {
            problems.add(
                    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must"
                            + " consist of lower case alphanumeric characters, '-' or '.' and end with an "
                            + "alphanumeric character"
                            + " (e.g. '*.example.com', regex used for validation is '" + WILDCARD + "')");
        }
        return problems;
    }

    private static void path(FieldCursor path) {
        FieldCursor type = path.at("pathType");
        FieldCursor text = path.at("path").holdingText();
        if (!type.isSet()) {
            type.required("pathType must be specified");
            return;
        }
        switch (type.text()) {
            case "Exact", "Prefix" -> {
                absolute(text);
                for (String bad : BAD_SEQUENCES) {
                    if (text.text().contains(bad)) {
                        text.invalid("must not contain '" + bad + "'");
                    }
                }
                for (String bad : BAD_ENDS) {
                    if (text.text().endsWith(bad)) {
                        text.invalid("cannot end with '" + bad + "'");
                    }
                }
            }
            case "ImplementationSpecific" -> {
                if (!text.isEmpty()) {
                    absolute(text);
                }
            }
            default -> type.notSupported(PATH_TYPES);
        }
        backend(path.at("backend"));
    }

    private static void absolute(FieldCursor path) {
        if (!path.text().startsWith("/")) {
            path.invalid("must be an absolute path");
        }
    }

    private static void backend(FieldCursor backend) {
        FieldCursor resource = backend.at("resource");
        FieldCursor service = backend.at("service");
        FieldCursor unnamed = backend.holding(new JsonString(""));
        if (resource.isSet() && service.isSet()) {
            unnamed.invalid("cannot set both resource and service backends");
        } else if (resource.isSet()) {
            reference(resource, resource);
        } else if (service.isSet()) {
            service(service, backend);
        } else {
            unnamed.invalid("resource or service backend is required");
        }
    }

    private static void service(FieldCursor service, FieldCursor backend) {
        if (service.at("name").require()) {
            service.at("name").follows(NameValidation::dns1123Label);
        }
        FieldCursor name = service.at("port", "name");
        FieldCursor number = service.at("port", "number");
        boolean isNumbered = number.number() != 0;
        if (!name.isEmpty() && isNumbered) {
            backend.holding(new JsonString("")).invalid("cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            name.follows(NameValidation::portName);
        } else if (isNumbered) {
            portNumber(number);
        } else {
            backend.required("port name or number is required");
        }
    }

    /** Validates the number of a port. */
    static void portNumber(FieldCursor number) {
        number.between(1, MAX_PORT);
    }

    private static void tls(FieldCursor tls) {
        tls.at("hosts").each(host -> host.follows(IngressRules::host));
        tls.at("secretName").followsIfSet(NameValidation::dns1123Subdomain);
    }

    /** Validates the group, the kind and the name of an object to which another refers. */
    private static void reference(FieldCursor reference, FieldCursor required) {
        reference.at("apiGroup").ifSet(group -> group.follows(NameValidation::dns1123Subdomain));
        for (String part : List.of("kind", "name")) {
            if (required.at(part).require()) {
                reference.at(part).follows(NameValidation::pathSegment);
            }
        }
    }

    /** Validates an ingress class. */
    public static void ingressClass(FieldCursor ingressClass) {
        FieldCursor controller = ingressClass.at("spec", "controller");
        if (controller.text().length() > MAX_CONTROLLER) {
            controller.errors().tooLong(controller.path(), MAX_CONTROLLER);
        }
        controller(controller);
        ingressClass.at("spec", "parameters").ifSet(IngressRules::parameters);
    }

    /** Validates a change of an ingress class. */
    public static void ingressClassUpdate(FieldCursor ingressClass, FieldCursor old) {
        ingressClass
                .at("spec", "controller")
                .holdingText()
                .immutable(old.at("spec", "controller").holdingText());
    }

    private static void controller(FieldCursor controller) {
        if (!controller.require()) {
            return;
        }
        String text = controller.text();
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            controller.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
            return;
        }
        controller.holding(new JsonString(text.substring(0, slash))).follows(NameValidation::dns1123Subdomain);
        FieldCursor path = controller.holding(new JsonString(text.substring(slash + 1)));
        if (!HTTP_PATH_PATTERN.matcher(path.text()).matches()) {
            path.invalid("Invalid path (regex used for validation is '" + HTTP_PATH + "')");
        }
    }

    private static void parameters(FieldCursor parameters) {
        reference(parameters, parameters.declared());
        FieldCursor scope = parameters.at("scope");
        FieldCursor namespace = parameters.at("namespace");
        if (!scope.isSet()) {
            scope.required("");
        } else if (!SCOPES.contains(scope.text())) {
            scope.notSupported(SCOPES);
        } else if (scope.text().equals("Cluster")) {
            namespace.mustBeAbsent("`parameters.scope` is set to 'Cluster'");
        } else if (!namespace.isSet()) {
            namespace.required("`parameters.scope` is set to 'Namespace'");
        } else {
            namespace.follows(NameValidation::dns1123Label);
        }
    }
}
