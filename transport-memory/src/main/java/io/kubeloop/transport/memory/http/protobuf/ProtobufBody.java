package io.kubeloop.transport.memory.http.protobuf;

import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads an object in {@code application/vnd.kubernetes.protobuf}: a magic number, then an envelope with kind and content
 * (upstream: {@code runtime.Unknown}).
 */
public final class ProtobufBody {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private ProtobufBody() {}

    /**
     * Returns the object as JSON.
     *
     * @throws ProtobufException if the bytes are no such object, or one of a kind or with a field that is not known here
     */
    public static JsonObject read(byte[] body) {
        for (int i = 0; i < MAGIC.length; i++) {
            if (i >= body.length || body[i] != MAGIC[i]) {
                throw ProtobufException.malformed("the body does not begin as protocol buffers of Kubernetes do");
            }
        }
        String apiVersion = "";
        String kind = "";
        WireReader content = new WireReader(body, 0, 0);
        WireReader envelope = new WireReader(body, MAGIC.length, body.length - MAGIC.length);
        while (envelope.hasNext()) {
            int tag = envelope.tag();
            switch (tag >>> 3) {
                case 1 -> {
                    WireReader typeMeta = envelope.content();
                    while (typeMeta.hasNext()) {
                        int inner = typeMeta.tag();
                        switch (inner >>> 3) {
                            case 1 -> apiVersion = typeMeta.content().restAsText();
                            case 2 -> kind = typeMeta.content().restAsText();
                            default -> typeMeta.skip(inner & 7);
                        }
                    }
                }
                case 2 -> content = envelope.content();
                default -> envelope.skip(tag & 7);
            }
        }
        MessageType type = typeOf(apiVersion, kind);
        JsonObject.Builder object =
                JsonObject.builder().put("apiVersion", apiVersion).put("kind", kind);
        type.read(content).members().forEach(object::put);
        return object.build();
    }

    private static MessageType typeOf(String apiVersion, String kind) {
        Map<String, MessageType> known = MessageTypes.BY_KIND;
        // Options of a delete carry the group and version of what is deleted.
        MessageType type = known.get(kind.equals("DeleteOptions") ? "v1 DeleteOptions" : apiVersion + " " + kind);
        if (type == null) {
            throw ProtobufException.unsupported(
                    apiVersion + " " + kind + "; known are " + new TreeSet<>(known.keySet()));
        }
        return type;
    }
}
