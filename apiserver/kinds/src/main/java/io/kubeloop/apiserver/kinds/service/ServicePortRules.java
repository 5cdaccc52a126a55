/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the ports of a service. */
final class ServicePortRules {

    private ServicePortRules() {}

    static void check(List<JsonObject> ports, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            String field = field(i);
            String name = port.string("name");
            if (name.isEmpty() && ports.size() > 1) {
                errors.required(field + ".name", "");
            } else if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.dns1123Label(name));
                if (!names.add(name)) {
                    errors.duplicate(field + ".name", new JsonString(name));
                }
            }
            PortRules.numberOrZero(field + ".port", port.get("port"), errors);
            PortRules.protocol(field + ".protocol", port.string("protocol"), errors);
            PortRules.numberOrName(field + ".targetPort", port.get("targetPort"), errors);
            PortRules.applicationProtocol(field + ".appProtocol", port, errors);
        }
    }

    static void checkNodePorts(JsonObject spec, FieldErrors errors) {
        List<JsonObject> ports = ServiceSpecs.ports(spec);
        Set<String> uses = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            long nodePort = ServiceSpecs.number(ports.get(i), "nodePort");
            if (nodePort != 0 && ServiceSpecs.type(spec).equals("ClusterIP")) {
                errors.forbidden(field(i) + ".nodePort", "may not be used when `type` is 'ClusterIP'");
            }
        }
        for (int i = 0; i < ports.size(); i++) {
            long nodePort = ServiceSpecs.number(ports.get(i), "nodePort");
            if (nodePort != 0 && !uses.add(nodePort + "/" + ports.get(i).string("protocol"))) {
                errors.duplicate(field(i) + ".nodePort", JsonNumber.of(nodePort));
            }
        }
    }

    static void checkUnique(List<JsonObject> ports, FieldErrors errors) {
        Set<String> uses = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            long number = ServiceSpecs.number(ports.get(i), "port");
            String protocol = ports.get(i).string("protocol");
            if (!uses.add(number + "/" + protocol)) {
                errors.duplicate(field(i), shown(protocol, number));
            }
        }
    }

    /** Upstream's message shows all fields of its internal port type. */
    private static JsonObject shown(String protocol, long number) {
        return JsonObject.builder()
                .put("Name", "")
                .put("Protocol", protocol)
                .put("AppProtocol", JsonNull.NULL)
                .put("Port", number)
                .put("TargetPort", 0)
                .put("NodePort", 0)
                .build();
    }

    private static String field(int index) {
        return "spec.ports[" + index + "]";
    }
}
