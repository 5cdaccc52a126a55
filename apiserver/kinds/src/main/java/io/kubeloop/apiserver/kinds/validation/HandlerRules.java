/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonNumber;
import java.util.List;

/** Validation of the probes and lifecycle hooks of a container. */
final class HandlerRules {

    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");
    private static final String NO_HEADER = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
            + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

    private HandlerRules() {}

    /** Validates the hooks and probes of a container that runs beside others. */
    static void all(FieldCursor container, FieldCursor gracePeriod) {
        FieldCursor lifecycle = container.at("lifecycle");
        lifecycle.at("postStart").ifSet(hook -> handler(hook, gracePeriod));
        lifecycle.at("preStop").ifSet(hook -> handler(hook, gracePeriod));
        for (String kind : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            container.at(kind).ifSet(probe -> probe(probe, kind.equals("readinessProbe"), gracePeriod));
        }
    }

    private static void probe(FieldCursor probe, boolean readiness, FieldCursor gracePeriod) {
        handler(probe, gracePeriod);
        for (String count : List.of(
                "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")) {
            probe.at(count).nonNegative();
        }
        FieldCursor grace = probe.at("terminationGracePeriodSeconds");
        if (grace.isSet() && grace.number() <= 0) {
            grace.invalid("must be greater than 0");
        }
        if (readiness && grace.isSet()) {
            grace.invalid("must not be set for readinessProbes");
        }
        if (!readiness && probe.at("successThreshold").number() != 1) {
            probe.at("successThreshold").invalid("must be 1");
        }
    }

    private static void handler(FieldCursor holder, FieldCursor gracePeriod) {
        boolean found = false;
        for (String kind : List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep")) {
            FieldCursor handler = holder.at(kind);
            if (handler.isSet() && found) {
                handler.forbidden("may not specify more than 1 handler type");
            } else if (handler.isSet()) {
                found = true;
                switch (kind) {
                    case "exec" -> handler.at("command").require();
                    case "httpGet" -> httpGet(handler);
                    case "sleep" -> sleep(handler, gracePeriod);
                    default -> port(handler.at("port"));
                }
            }
        }
        if (!found) {
            holder.required("must specify a handler type");
        }
    }

    private static void httpGet(FieldCursor action) {
        action.at("path").require();
        port(action.at("port"));
        action.at("scheme").oneOf(List.of("HTTP", "HTTPS"));
        action.at("httpHeaders").each(header -> {
            if (!HEADER.matcher(header.at("name").text()).matches()) {
                header.at("name")
                        .holdingText()
                        .named(action.path() + ".httpHeaders")
                        .invalid(NO_HEADER);
            }
        });
    }

    private static void sleep(FieldCursor action, FieldCursor gracePeriod) {
        long seconds = action.at("seconds").number();
        if (seconds < 0 || seconds > gracePeriod.number()) {
            action.holding(JsonNumber.of(seconds))
                    .invalid("must be non-negative and less than terminationGracePeriodSeconds (" + gracePeriod.number()
                            + ")");
        }
    }

    /** Validates a port, which may be a number or the name of a port. */
    static void port(FieldCursor port) {
        if (port.value() instanceof JsonNumber || !port.isSet()) {
            FieldCursor number = port.holdingNumber();
            if (number.number() < 1 || number.number() > 65535) {
                number.invalid("must be between 1 and 65535, inclusive");
            }
        } else {
            port.follows(NameValidation::portName);
        }
    }
}
