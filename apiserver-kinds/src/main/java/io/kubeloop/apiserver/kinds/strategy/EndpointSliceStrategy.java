package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.kinds.validation.PortRules;
import io.kubeloop.apiserver.kinds.validation.SliceEndpointRules;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The strategy of EndpointSlices (upstream: {@code pkg/registry/discovery/endpointslice}). */
final class EndpointSliceStrategy implements RestStrategy {

    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_PORTS = 20000;

    @Override
    public JsonObject defaults(JsonObject object) {
        return ports(object).isEmpty()
                ? object
                : object.with(
                        "ports",
                        JsonArray.of(ports(object).stream()
                                .map(EndpointSliceStrategy::port)
                                .toList()));
    }

    /** An absent protocol gets the default; an empty one is invalid. */
    private static JsonObject port(JsonObject port) {
        JsonObject named = port.has("name") ? port : port.with("name", "");
        return named.has("protocol") ? named : named.with("protocol", "TCP");
    }

    private static List<JsonObject> ports(JsonObject slice) {
        return slice.array("ports").objects().toList();
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return withoutTopology(object);
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return withoutTopology(object);
    }

    /** Removes {@code deprecatedTopology}, which v1 no longer accepts. */
    private static JsonObject withoutTopology(JsonObject slice) {
        List<JsonObject> endpoints = slice.array("endpoints").objects().toList();
        return endpoints.stream().noneMatch(endpoint -> endpoint.has("deprecatedTopology"))
                ? slice
                : slice.with(
                        "endpoints",
                        JsonArray.of(endpoints.stream()
                                .map(endpoint -> endpoint.without("deprecatedTopology"))
                                .toList()));
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        String addressType = object.string("addressType");
        if (addressType.isEmpty()) {
            errors.required("addressType", "");
        } else {
            errors.oneOf("addressType", addressType, ADDRESS_TYPES);
        }
        ports(ports(object), errors);
        List<JsonObject> endpoints = object.array("endpoints").objects().toList();
        if (endpoints.size() > MAX_ENDPOINTS) {
            errors.tooMany("endpoints", endpoints.size(), MAX_ENDPOINTS);
            return;
        }
        for (int i = 0; i < endpoints.size(); i++) {
            SliceEndpointRules.check("endpoints[" + i + "]", endpoints.get(i), addressType, errors);
        }
    }

    /** As upstream, port numbers are not checked. */
    private static void ports(List<JsonObject> ports, FieldErrors errors) {
        if (ports.size() > MAX_PORTS) {
            errors.tooMany("ports", ports.size(), MAX_PORTS);
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            String field = "ports[" + i + "]";
            String name = ports.get(i).string("name");
            if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.dns1123Label(name));
            }
            if (!names.add(name)) {
                errors.duplicate(field + ".name", new JsonString(name));
            }
            PortRules.protocol(field + ".protocol", ports.get(i).string("protocol"), errors);
            PortRules.applicationProtocol(field + ".appProtocol", ports.get(i), errors);
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (!object.string("addressType").equals(old.string("addressType"))) {
            errors.invalid("addressType", object.string("addressType"), "field is immutable");
        }
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    /** Includes everything but the metadata, of which only the labels count. */
    @Override
    public JsonObject counted(JsonObject object) {
        return object.with("metadata", object.object("metadata", "labels"));
    }
}
