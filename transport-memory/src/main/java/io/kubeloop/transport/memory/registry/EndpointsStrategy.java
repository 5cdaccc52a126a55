package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
                address(path + "." + list + "[" + i + "].ip", addresses.get(i).string("ip"), errors);
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

    /** What stands for no machine, or for another one on each, is no address of an endpoint. */
    private static void address(String field, String ip, FieldErrors errors) {
        List<String> problems = NameValidation.ip(ip);
        errors.invalid(field, ip, problems);
        if (!problems.isEmpty()) {
            return;
        }
        InetAddress address = parse(ip);
        if (address.isAnyLocalAddress()) {
            errors.invalid(field, ip, "may not be unspecified (0.0.0.0 or ::)");
        }
        if (address.isLoopbackAddress()) {
            errors.invalid(field, ip, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            errors.invalid(field, ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            errors.invalid(field, ip, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    /** Looks nothing up: it is an address in figures. */
    private static InetAddress parse(String ip) {
        try {
            return InetAddress.getByName(ip);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("\"" + ip + "\" was checked to be an address", e);
        }
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }
}
