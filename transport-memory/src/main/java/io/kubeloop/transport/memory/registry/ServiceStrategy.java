package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Services, and the addresses they hold (upstream: {@code pkg/registry/core/service}). */
final class ServiceStrategy implements RestStrategy {

    private static final String HEADLESS = "None";
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final List<String> AFFINITIES = List.of("ClientIP", "None");

    private static final Defaults DEFAULTS = Defaults.parse("""
            +spec.sessionAffinity = "None"
            spec.type = "ClusterIP"
            spec.ports[].protocol = "TCP"
            """);

    private static final Defaults AFFINITY_DEFAULTS =
            Defaults.parse("+sessionAffinityConfig.+clientIP.timeoutSeconds = 10800");

    private static final Defaults ADDRESS_DEFAULTS = Defaults.parse("""
            spec.ipFamilies = ["IPv4"]
            spec.ipFamilyPolicy = "SingleStack"
            spec.internalTrafficPolicy = "Cluster"
            """);

    /** What a service without an address has no use for. */
    private static final List<String> OF_ADDRESSES =
            List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");

    private final ClusterIpAllocator addresses;

    ServiceStrategy(ClusterIpAllocator addresses) {
        this.addresses = addresses;
    }

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = DEFAULTS.apply(object);
        JsonObject spec = defaulted.object("spec");
        List<JsonValue> ports = new ArrayList<>();
        spec.array("ports").objects().forEach(port -> ports.add(targetPort(port)));
        if (!ports.isEmpty()) {
            spec = spec.with("ports", JsonArray.of(ports));
        }
        defaulted = defaulted.with("spec", affinity(spec));
        return hasAddress(spec) ? ADDRESS_DEFAULTS.apply(defaulted) : defaulted;
    }

    /** Affinity to clients lasts for three hours; without it there is nothing to configure. */
    private static JsonObject affinity(JsonObject spec) {
        return spec.string("sessionAffinity").equals("ClientIP")
                ? AFFINITY_DEFAULTS.apply(spec)
                : spec.without("sessionAffinityConfig");
    }

    private static JsonObject targetPort(JsonObject port) {
        JsonValue target = port.get("targetPort");
        boolean unset = target == null
                || target.equals(new JsonString(""))
                || Long.valueOf(0).equals(port.number("targetPort"));
        JsonValue same = port.get("port");
        return unset && same != null ? port.with("targetPort", same) : port;
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return object.with("status", JsonObject.EMPTY.with("loadBalancer", JsonObject.EMPTY));
    }

    /** Who writes a service without its addresses keeps them, unless it is to have none. */
    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject result = StatusParts.keepOther(object, old, part);
        JsonObject spec = result.object("spec");
        if (hasAddress(spec)
                && hasAddress(old.object("spec"))
                && spec.string("clusterIP").isEmpty()) {
            spec = StatusParts.set(spec, "clusterIP", old.object("spec"));
            spec = StatusParts.set(spec, "clusterIPs", old.object("spec"));
        }
        if (!hasAddress(spec) && hasAddress(old.object("spec"))) {
            for (String field : OF_ADDRESSES) {
                spec = spec.without(field);
            }
        }
        return result.with("spec", spec);
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        String type = spec.string("type");
        if (!TYPES.contains(type)) {
            errors.notSupported("spec.type", type, TYPES);
        }
        boolean headless = spec.string("clusterIP").equals(HEADLESS);
        if (spec.array("ports").isEmpty() && !headless && hasAddress(spec)) {
            errors.required("spec.ports", "");
        }
        if (!hasAddress(spec) && spec.string("externalName").isEmpty()) {
            errors.required("spec.externalName", "");
        }
        ports(spec.array("ports"), errors);
        MetaValidation.labels("spec.selector", spec.object("selector"), errors);
        if (!AFFINITIES.contains(spec.string("sessionAffinity"))) {
            errors.notSupported("spec.sessionAffinity", spec.string("sessionAffinity"), AFFINITIES);
        }
        String address = spec.string("clusterIP");
        if (!address.isEmpty() && !headless) {
            errors.invalid("spec.clusterIPs[0]", address, NameValidation.ip(address));
        }
    }

    private static void ports(JsonArray ports, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        List<JsonObject> list = ports.objects().toList();
        for (int i = 0; i < list.size(); i++) {
            JsonObject port = list.get(i);
            String field = "spec.ports[" + i + "]";
            String name = port.string("name");
            if (name.isEmpty() && list.size() > 1) {
                errors.required(field + ".name", "");
            } else if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.dns1123Label(name));
                if (!names.add(name)) {
                    errors.duplicate(field + ".name", new JsonString(name));
                }
            }
            Ports.number(field + ".port", port.get("port"), errors);
            Ports.protocol(field + ".protocol", port.string("protocol"), errors);
            Ports.numberOrName(field + ".targetPort", port.get("targetPort"), errors);
            if (!numbers.add(port.get("port") + "/" + port.string("protocol"))) {
                errors.duplicate(field, port);
            }
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        String before = old.string("spec", "clusterIP");
        if (hasAddress(spec)
                && hasAddress(old.object("spec"))
                && !before.isEmpty()
                && !spec.string("clusterIP").equals(before)) {
            JsonValue shown =
                    spec.has("clusterIPs") ? spec.array("clusterIPs") : new JsonString(spec.string("clusterIP"));
            errors.invalid("spec.clusterIPs[0]", shown, "may not change once set");
        }
    }

    @Override
    public JsonObject acquire(JsonObject object, @Nullable JsonObject old) {
        JsonObject spec = object.object("spec");
        if (!hasAddress(spec)) {
            return object.with("spec", spec.without("clusterIP").without("clusterIPs"));
        }
        String address = spec.string("clusterIP");
        if (old == null || address.isEmpty() || !address.equals(old.string("spec", "clusterIP"))) {
            address = address.isEmpty() ? allocate(object) : take(object, address);
        }
        return object.with(
                "spec", spec.with("clusterIP", address).with("clusterIPs", JsonArray.of(new JsonString(address))));
    }

    private String allocate(JsonObject object) {
        String address = addresses.allocate();
        if (address.isEmpty()) {
            throw ApiFailure.internal("failed to allocate IP for service " + Meta.name(object) + ": range is full");
        }
        return address;
    }

    private String take(JsonObject object, String address) {
        if (!address.equals(HEADLESS) && !addresses.take(address)) {
            FieldErrors errors = new FieldErrors();
            errors.invalid(
                    "spec.clusterIPs",
                    JsonArray.of(new JsonString(address)),
                    "failed to allocate IP " + address + ": provided IP is already allocated");
            throw ApiFailure.invalid("", "Service", Meta.name(object), errors);
        }
        return address;
    }

    @Override
    public void release(JsonObject object, @Nullable JsonObject kept) {
        String address = object.string("spec", "clusterIP");
        boolean stillHeld = kept != null && address.equals(kept.string("spec", "clusterIP"));
        if (!address.isEmpty() && !stillHeld) {
            addresses.release(address);
        }
    }

    private static boolean hasAddress(JsonObject spec) {
        return !spec.string("type").equals("ExternalName");
    }

    @Override
    public List<String> checkName(String name, boolean prefix) {
        return Names.dns1035Label(name, prefix);
    }

    @Override
    public Map<String, String> fields(JsonObject object) {
        return Map.of("spec.clusterIP", object.string("spec", "clusterIP"), "spec.type", object.string("spec", "type"));
    }

    @Override
    public List<String> fieldNames() {
        return List.of("spec.clusterIP", "spec.type");
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }
}
