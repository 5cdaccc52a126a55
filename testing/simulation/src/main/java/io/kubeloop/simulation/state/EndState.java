/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.state;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a run leaves, in a form that is equal for two runs which did the same: UIDs, generated names and the
 * addresses of services are replaced by the place of the object, and times, versions, node ports, the owners of fields
 * and what the scheduler, the binder of volumes and the kubelet choose are left out.
 *
 * @param objects the objects by their place, such as {@code Pod default/web-*}; unmodifiable and sorted. Of several
 *     objects with one place, the later ones have a number after it
 */
public record EndState(Map<String, JsonValue> objects) {

    /** The bookkeeping of operators. */
    private static final Set<String> LEFT_OUT = Set.of("Event", "Lease");

    /** The resources that other components write all the time, by kind; compared only if the operator writes them. */
    private static final Map<String, String> OF_OTHERS = Map.of(
            "Node", "nodes",
            "Endpoints", "endpoints",
            "EndpointSlice", "endpointslices.discovery.k8s.io");

    /** A front end writes it for each instance. */
    private static final String AUTHENTICATION = "extension-apiserver-authentication";

    /** The annotation by which instances elect one of them, as before there were leases. */
    public static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

    /** The scheduler, the kubelet and the binder of volumes choose them. */
    private static final Set<String> CHOSEN =
            Set.of("nodeName", "podIP", "hostIP", "volumeName", "claimRef", "containerID");

    private static final String VERSION = "resourceVersion";

    /** JOSDK marks its last write with an identifier drawn at random, and with the version before it. */
    private static final String LAST_WRITE = "javaoperatorsdk.io/previous";

    private static final Pattern UID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    /** The volume with the token of a pod, whose name the server draws. */
    private static final Pattern TOKENS = Pattern.compile("kube-api-access-[a-z0-9]{5}");

    private static final Set<String> METADATA = Set.of(
            "uid", VERSION, "generation", "creationTimestamp", "managedFields", "selfLink", "name", "generateName");

    /** The server chooses them at random. */
    private static final Set<String> PORTS = Set.of("nodePort", "healthCheckNodePort");

    /** The suffix that distinguishes objects with one place. */
    private static final Pattern NUMBER = Pattern.compile(" #\\d+$");

    /** The members that identify the elements of a list whose order has no meaning. */
    private static final List<String> KEYS = List.of("type", "uid", "name", "key", "ip", "port", "targetRef");

    /** Copies the map. */
    public EndState {
        objects = Collections.unmodifiableMap(new TreeMap<>(objects));
    }

    /** One object with its place, before the places have numbers. */
    private record Placed(String place, JsonObject object) {}

    /**
     * Returns the state of these objects. O(size of the objects).
     *
     * @param trees the objects, with {@code kind}
     * @param written the resources that the operator has written, such as {@code endpoints}
     */
    public static EndState of(List<JsonObject> trees, Set<String> written) {
        List<JsonObject> kept = trees.stream()
                .filter(object -> !LEFT_OUT.contains(object.string("kind")))
                .filter(object -> isOfOperator(object.string("kind"), written))
                .filter(object -> !object.string("metadata", "name").equals(AUTHENTICATION))
                .filter(object -> !isLock(object.object("metadata")))
                .toList();
        Map<String, String> names = new HashMap<>();
        for (JsonObject object : kept) {
            JsonObject metadata = object.object("metadata");
            String place = place(object);
            names.put(metadata.string("uid"), "<uid of " + place + ">");
            String generated = metadata.string("generateName");
            if (!generated.isEmpty() && metadata.string("name").startsWith(generated)) {
                names.put(metadata.string("name"), generated + "*");
            }
            if (object.string("kind").equals("Service")) {
                object.object("spec")
                        .array("clusterIPs")
                        .strings()
                        .forEach(address -> names.put(address, "<address of " + place + ">"));
            }
        }
        for (JsonObject pod : kept) {
            for (String ip : List.of("podIP", "hostIP")) {
                names.putIfAbsent(pod.string("status", ip), "<" + ip + ">");
            }
        }
        names.remove("");
        names.remove("None"); // the word for a service without an address
        Normalizer normalizer = new Normalizer(names);
        List<Placed> placed = new ArrayList<>();
        for (JsonObject object : kept) {
            placed.add(new Placed(place(object), normalizer.object(object)));
        }
        placed.sort(Comparator.comparing(Placed::place)
                .thenComparing(entry -> entry.object().toString()));
        Map<String, JsonValue> objects = new TreeMap<>();
        for (Placed entry : placed) {
            String place = entry.place();
            for (int number = 2; objects.containsKey(place); number++) {
                place = entry.place() + " #" + number;
            }
            objects.put(place, entry.object());
        }
        return new EndState(objects);
    }

    /** Returns whether the object with this metadata is one by which instances elect one of them. */
    public static boolean isLock(JsonObject metadata) {
        return metadata.object("annotations").has(LEADER);
    }

    /** Returns the objects by their place without a number, in their order. */
    Map<String, List<JsonValue>> byPlace() {
        Map<String, List<JsonValue>> all = new TreeMap<>();
        objects.forEach(
                (place, object) -> all.computeIfAbsent(NUMBER.matcher(place).replaceFirst(""), key -> new ArrayList<>())
                        .add(object));
        return all;
    }

    private static boolean isOfOperator(String kind, Set<String> written) {
        String resource = OF_OTHERS.get(kind);
        return resource == null || written.contains(resource);
    }

    /** Returns the kind, namespace and name of an object; a generated name is replaced by a star. */
    private static String place(JsonObject object) {
        JsonObject metadata = object.object("metadata");
        String generated = metadata.string("generateName");
        String name = metadata.string("name");
        String namespace = metadata.string("namespace");
        return object.string("kind") + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + (!generated.isEmpty() && name.startsWith(generated) ? generated + "*" : withoutUid(name));
    }

    /** Returns a name with a star for a UID in it, as the names of provisioned volumes have. */
    private static String withoutUid(String name) {
        return UID.matcher(name).replaceAll("*");
    }

    /** Replaces what differs between runs. */
    private record Normalizer(Map<String, String> names) {

        JsonObject object(JsonObject object) {
            JsonObject.Builder result = JsonObject.builder();
            object.members().forEach((name, value) -> {
                if (name.equals("metadata")) {
                    JsonObject metadata = metadata(object.object("metadata"));
                    if (!metadata.isEmpty()) {
                        result.put(name, metadata);
                    }
                } else if (!name.equals("apiVersion") && !name.equals("kind")) {
                    result.put(
                            name, value(name, value, object.object("metadata").number("generation")));
                }
            });
            return result.build();
        }

        private JsonObject metadata(JsonObject metadata) {
            JsonObject.Builder result = JsonObject.builder();
            metadata.members().forEach((name, value) -> {
                if (!METADATA.contains(name)) {
                    result.put(name, value(name, value, null));
                }
            });
            return result.build();
        }

        private JsonValue value(String member, JsonValue value, @Nullable Long generation) {
            if (CHOSEN.contains(member)) {
                return new JsonString("<" + member + ">");
            }
            if (value instanceof JsonObject object) {
                JsonObject.Builder result = JsonObject.builder();
                object.members().forEach((name, inner) -> {
                    if (!name.equals(VERSION) && !name.equals(LAST_WRITE)) { // the version of a reference
                        result.put(name, value(name, inner, generation));
                    }
                });
                return result.build();
            }
            if (value instanceof JsonArray array) {
                return sorted(array.elements().stream()
                        .map(element -> value("", element, generation))
                        .toList());
            }
            if (value instanceof JsonString string) {
                return new JsonString(text(string.value()));
            }
            if (PORTS.contains(member)) {
                return new JsonString("<port>");
            }
            if (member.equals("observedGeneration") && generation != null) {
                return new JsonString(
                        value.toString().equals(generation.toString()) ? "<current>" : "<behind the generation>");
            }
            return value;
        }

        private String text(String text) {
            String known = names.get(text);
            if (known != null) {
                return known;
            }
            if (TOKENS.matcher(text).matches()) {
                return "kube-api-access-*";
            }
            if (UID.matcher(text).matches()) {
                return "<uid of an object that is gone>";
            }
            return Times.isTime(text) ? "<time>" : text;
        }

        private static JsonArray sorted(List<JsonValue> elements) {
            for (String key : KEYS) {
                Map<String, JsonValue> byKey = new LinkedHashMap<>();
                for (JsonValue element : elements) {
                    if (element instanceof JsonObject object && object.has(key)) {
                        byKey.put(object.get(key) + " " + object, object);
                    }
                }
                if (!elements.isEmpty() && byKey.size() == elements.size()) {
                    return JsonArray.of(new TreeMap<>(byKey).values());
                }
            }
            return JsonArray.of(elements);
        }
    }
}
