package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Endpoints (upstream: {@code pkg/registry/core/endpoint}). */
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
                String ip = addresses.get(i).string("ip");
                errors.invalid(path + "." + list + "[" + i + "].ip", ip, NameValidation.ip(ip));
            }
        }
        List<JsonObject> ports = subset.array("ports").objects().toList();
        for (int i = 0; i < ports.size(); i++) {
            JsonObject port = ports.get(i);
            String field = path + ".ports[" + i + "]";
            String name = port.string("name");
            if (name.isEmpty() && ports.size() > 1) {
                errors.required(field + ".name", "");
            } else if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.dns1123Label(name));
            }
            Ports.number(field + ".port", port.get("port"), errors);
            Ports.protocol(field + ".protocol", port.string("protocol"), errors);
        }
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }
}
