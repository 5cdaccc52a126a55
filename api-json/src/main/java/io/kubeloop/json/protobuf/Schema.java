package io.kubeloop.json.protobuf;

import io.kubeloop.json.protobuf.MessageType.Form;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of messages, from {@code kubernetes.schema}: numbers, names and types of the fields of the built-in kinds that this
 * library uses (source: the struct tags of {@code k8s.io/api} and {@code k8s.io/apimachinery}; {@code extract-schema.py} writes it).
 * Immutable.
 */
final class Schema {

    private static final String METADATA = "PartialObjectMetadata";
    private static final String LIST = "List";

    /** Messages that have the API version of the object that is deleted. */
    private static final String DELETE_OPTIONS = "DeleteOptions";

    /** The stored kinds, each with its API version. */
    private static final Map<String, String> STORED = Map.ofEntries(
            Map.entry("Pod", "v1"),
            Map.entry("Service", "v1"),
            Map.entry("Endpoints", "v1"),
            Map.entry("Event", "v1"),
            Map.entry("Node", "v1"),
            Map.entry("Namespace", "v1"),
            Map.entry("ServiceAccount", "v1"),
            Map.entry("ReplicationController", "v1"),
            Map.entry("ConfigMap", "v1"),
            Map.entry("Secret", "v1"),
            Map.entry("ReplicaSet", "apps/v1"),
            Map.entry("Deployment", "apps/v1"),
            Map.entry("Lease", "coordination.k8s.io/v1"),
            Map.entry("EndpointSlice", "discovery.k8s.io/v1"));

    /** The kinds that are sent but not stored. */
    private static final Map<String, String> TRANSIENT =
            Map.of("Status", "v1", "Eviction", "policy/v1", METADATA, "meta.k8s.io/v1");

    private static final Map<String, String> KINDS = allKinds();

    /** The resources of the stored kinds, each with its API version. */
    private static final Map<String, String> RESOURCES = STORED.entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(kind -> plural(kind.getKey()), Map.Entry::getValue));

    private static final Map<String, Form> FORMS = Map.ofEntries(
            Map.entry("string", Form.STRING),
            Map.entry("bool", Form.BOOL),
            Map.entry("int32", Form.INT32),
            Map.entry("int64", Form.INT64),
            Map.entry("bytes", Form.BYTES),
            Map.entry("time", Form.TIME),
            Map.entry("microTime", Form.MICRO_TIME),
            Map.entry("quantity", Form.QUANTITY),
            Map.entry("intOrString", Form.INT_OR_STRING),
            Map.entry("raw", Form.RAW),
            Map.entry("map", Form.MAP),
            Map.entry("bytesMap", Form.BYTES_MAP),
            Map.entry("quantities", Form.QUANTITIES));

    private static final Schema KUBERNETES = load();

    private final Map<String, MessageType> messages = new HashMap<>();

    private Schema() {}

    static Schema kubernetes() {
        return KUBERNETES;
    }

    /** Returns the message of this kind, or null if it is not in the table. */
    @Nullable
    MessageType kind(String apiVersion, String kind) {
        boolean isKnown = kind.equals(DELETE_OPTIONS) || apiVersion.equals(KINDS.get(kind));
        return isKnown ? messages.get(kind) : null;
    }

    /** Returns whether objects of this resource, a path's part in lower case such as {@code pods}, are of a kind in the table. */
    static boolean hasResource(String apiVersion, String resource) {
        return RESOURCES.getOrDefault(resource, "").equals(apiVersion);
    }

    private static Map<String, String> allKinds() {
        Map<String, String> kinds = new HashMap<>(STORED);
        kinds.putAll(TRANSIENT);
        listed().forEach((kind, apiVersion) -> kinds.put(kind + LIST, apiVersion));
        return Map.copyOf(kinds);
    }

    /** The kinds that have list kinds. */
    private static Map<String, String> listed() {
        Map<String, String> kinds = new HashMap<>(STORED);
        kinds.put(METADATA, TRANSIENT.get(METADATA));
        return kinds;
    }

    private static String plural(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        return name.endsWith("s") ? name : name + "s";
    }

    private static Schema load() {
        Schema schema = new Schema();
        try (InputStream in = Schema.class.getResourceAsStream("kubernetes.schema")) {
            if (in == null) {
                throw new IllegalStateException("the resource kubernetes.schema is missing");
            }
            List<String> lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
            lines.stream()
                    .filter(line -> !line.startsWith(" "))
                    .forEach(name -> schema.messages.put(name, new MessageType(name)));
            MessageType current = new MessageType("");
            for (String line : lines) {
                if (line.startsWith(" ")) {
                    schema.addField(current, line.strip().split(" "));
                } else {
                    current = schema.message(line);
                }
            }
            listed().keySet().forEach(schema::addList);
        } catch (IOException e) {
            throw new UncheckedIOException("the resource kubernetes.schema cannot be read", e);
        }
        return schema;
    }

    /** Returns the message of a list; all lists have the same fields. */
    private void addList(String kind) {
        MessageType list = new MessageType(kind + LIST);
        addField(list, new String[] {"1", "metadata", "ListMeta?"});
        addField(list, new String[] {"2", "items", "[]" + kind});
        messages.put(list.name(), list);
    }

    private void addField(MessageType message, String[] words) {
        String type = words[2];
        boolean isList = type.startsWith("[]");
        type = isList ? type.substring(2) : type;
        boolean isPointer = type.startsWith("*");
        type = isPointer ? type.substring(1) : type;
        boolean omitsZero = type.endsWith("?");
        type = omitsZero ? type.substring(0, type.length() - 1) : type;
        Form form = FORMS.getOrDefault(type, Form.MESSAGE);
        message.add(
                Integer.parseInt(words[0]),
                words[1],
                isList,
                isPointer,
                omitsZero,
                form,
                form == Form.MESSAGE ? message(type) : null);
    }

    private MessageType message(String name) {
        MessageType message = messages.get(name);
        if (message == null) {
            throw new IllegalStateException("kubernetes.schema uses " + name + " without defining it");
        }
        return message;
    }
}
