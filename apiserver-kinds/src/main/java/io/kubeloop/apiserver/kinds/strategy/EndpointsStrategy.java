package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The strategy of Endpoints (upstream: {@code pkg/registry/core/endpoint}). */
final class EndpointsStrategy implements RestStrategy {

    private static final Defaults DEFAULTS = Defaults.parse("subsets[].ports[].protocol = \"TCP\"");
    private static final List<String> ADDRESS_LISTS = List.of("addresses", "notReadyAddresses");

    @Override
    public JsonObject defaults(JsonObject object) {
        return DEFAULTS.apply(object);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        List<JsonObject> subsets = object.array("subsets").objects().toList();
        for (int i = 0; i < subsets.size(); i++) {
            subset("subsets[" + i + "]", subsets.get(i), errors);
        }
    }

    private static void subset(String path, JsonObject subset, FieldErrors errors) {
        if (subset.array("addresses").isEmpty()
                && subset.array("notReadyAddresses").isEmpty()) {
            errors.required(path, "must specify `addresses` or `notReadyAddresses`");
        }
        for (String list : ADDRESS_LISTS) {
            List<JsonObject> addresses = subset.array(list).objects().toList();
            for (int i = 0; i < addresses.size(); i++) {
                address(path + "." + list + "[" + i + "]", addresses.get(i), errors);
            }
        }
        List<JsonObject> ports = subset.array("ports").objects().toList();
        for (int i = 0; i < ports.size(); i++) {
            port(path + ".ports[" + i + "]", ports.get(i), ports.size() > 1, errors);
        }
    }

    private static void address(String path, JsonObject address, FieldErrors errors) {
        String ip = address.string("ip");
        AddressRules.ip(path + ".ip", ip, List.of(), errors);
        String host = address.string("hostname");
        if (!host.isEmpty()) {
            errors.invalid(path + ".hostname", host, NameValidation.dns1123Label(host));
        }
        if (address.has("nodeName")) {
            String node = address.string("nodeName");
            errors.invalid(path + ".nodeName", node, NameValidation.dns1123Subdomain(node));
        }
        AddressRules.reachable(path + ".ip", ip, errors);
    }

    private static void port(String path, JsonObject port, boolean oneOfSeveral, FieldErrors errors) {
        String name = port.string("name");
        if (name.isEmpty() && oneOfSeveral) {
            errors.required(path + ".name", "");
        } else if (!name.isEmpty()) {
            errors.invalid(path + ".name", name, NameValidation.dns1123Label(name));
        }
        PortRules.numberOrZero(path + ".port", port.get("port"), errors);
        PortRules.protocol(path + ".protocol", port.string("protocol"), errors);
        PortRules.applicationProtocol(path + ".appProtocol", port, errors);
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }
}
