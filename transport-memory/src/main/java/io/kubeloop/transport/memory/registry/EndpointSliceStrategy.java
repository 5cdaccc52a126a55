package io.kubeloop.transport.memory.registry;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** EndpointSlices (upstream: {@code pkg/registry/discovery/endpointslice}). */
final class EndpointSliceStrategy implements RestStrategy {

    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");
    private static final int MAX_ADDRESSES = 100;
    private static final int MAX_ENDPOINTS = 1000;

    private static final Defaults DEFAULTS = Defaults.parse("""
            ports[].name = ""
            ports[].protocol = "TCP"
            """);

    @Override
    public JsonObject defaults(JsonObject object) {
        return DEFAULTS.apply(object);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        String addressType = object.string("addressType");
        if (addressType.isEmpty()) {
            errors.required("addressType", "");
        } else if (!ADDRESS_TYPES.contains(addressType)) {
            errors.notSupported("addressType", addressType, ADDRESS_TYPES);
        }
        List<JsonObject> endpoints = object.array("endpoints").objects().toList();
        if (endpoints.size() > MAX_ENDPOINTS) {
            errors.tooMany("endpoints", endpoints.size(), MAX_ENDPOINTS);
        }
        for (int i = 0; i < endpoints.size(); i++) {
            int addresses = endpoints.get(i).array("addresses").size();
            String field = "endpoints[" + i + "].addresses";
            if (addresses == 0) {
                errors.required(field, "must contain at least 1 address");
            } else if (addresses > MAX_ADDRESSES) {
                errors.tooMany(field, addresses, MAX_ADDRESSES);
            }
        }
        List<JsonObject> ports = object.array("ports").objects().toList();
        for (int i = 0; i < ports.size(); i++) {
            Ports.protocol("ports[" + i + "].protocol", ports.get(i).string("protocol"), errors);
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

    /** Everything but the metadata, of which labels count. */
    @Override
    public JsonObject counted(JsonObject object) {
        return object.with("metadata", object.object("metadata", "labels"));
    }
}
