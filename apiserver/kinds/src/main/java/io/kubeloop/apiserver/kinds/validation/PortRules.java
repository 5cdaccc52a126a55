/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of ports. */
public final class PortRules {

    static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private static final String RANGE = "must be between 1 and 65535, inclusive";

    private PortRules() {}

    /** Validates a port number. */
    public static void number(String field, @Nullable JsonValue value, FieldErrors errors) {
        if (value == null) {
            errors.required(field, "");
            return;
        }
        Long number = value instanceof JsonNumber port ? port.toLong() : null;
        if (number == null || number < 1 || number > 65535) {
            errors.invalid(field, value, RANGE);
        }
    }

    /** Validates a port number; upstream reports an absent number as zero. */
    public static void numberOrZero(String field, @Nullable JsonValue value, FieldErrors errors) {
        number(field, value == null ? JsonNumber.of(0) : value, errors);
    }

    /** Validates a port number or a port name. */
    public static void numberOrName(String field, @Nullable JsonValue value, FieldErrors errors) {
        if (value instanceof JsonString name) {
            errors.invalid(field, name.value(), NameValidation.portName(name.value()));
        } else {
            number(field, value, errors);
        }
    }

    /** Validates the transport protocol of a port. */
    public static void protocol(String field, String protocol, FieldErrors errors) {
        if (!PROTOCOLS.contains(protocol)) {
            errors.notSupported(field, protocol, PROTOCOLS);
        }
    }

    /** Validates the application protocol of a port, if it is set. */
    public static void applicationProtocol(String field, JsonObject port, FieldErrors errors) {
        if (port.has("appProtocol")) {
            String protocol = port.string("appProtocol");
            errors.invalid(field, protocol, NameValidation.qualifiedName(protocol));
        }
    }
}
