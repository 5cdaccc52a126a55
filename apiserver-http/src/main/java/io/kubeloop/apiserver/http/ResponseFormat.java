package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format of a response.
 *
 * @param protobuf whether the response is in protocol buffers instead of JSON
 * @param shape the representation of the objects
 * @param version the version of the representation; empty for whole objects
 */
record ResponseFormat(boolean protobuf, Shape shape, String version) {

    /** The representation of objects. */
    enum Shape {
        OBJECT,
        TABLE,
        /** Kind and metadata only. */
        METADATA,
        METADATA_LIST
    }

    private static final Map<String, Shape> SHAPES = Map.of(
            "Table",
            Shape.TABLE,
            "PartialObjectMetadata",
            Shape.METADATA,
            "PartialObjectMetadataList",
            Shape.METADATA_LIST);

    private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");

    /** Whole objects in JSON. */
    static final ResponseFormat PLAIN = new ResponseFormat(false, Shape.OBJECT, "");

    boolean isPlain() {
        return equals(PLAIN);
    }

    /**
     * Returns the first format of an {@code Accept} header that the server supports.
     *
     * @param hasProtobuf whether these objects have a protobuf form
     * @throws HttpApiFailure 406 if there is none
     */
    static ResponseFormat negotiate(String accept, boolean hasProtobuf) {
        if (accept.isBlank()) {
            return PLAIN;
        }
        for (MediaRange range : MediaRange.parseAll(accept)) {
            ResponseFormat format = range.quality() > 0 ? of(range, hasProtobuf) : null;
            if (format != null) {
                return format;
            }
        }
        throw HttpApiFailure.notAcceptable(
                accept,
                ApiRequest.JSON
                        + (hasProtobuf ? ", " + ApiRequest.PROTOBUF : "")
                        + ", and as Table or PartialObjectMetadata of meta.k8s.io");
    }

    private static @Nullable ResponseFormat of(MediaRange range, boolean hasProtobuf) {
        boolean protobuf = hasProtobuf && range.type().equals(ApiRequest.PROTOBUF);
        if (!protobuf && !range.includes(ApiRequest.JSON)) {
            return null;
        }
        String as = range.parameter("as");
        if (as.isEmpty()) {
            return new ResponseFormat(protobuf, Shape.OBJECT, "");
        }
        Shape shape = SHAPES.get(as);
        String version = range.parameter("v");
        if (shape == null || !range.parameter("g").equals("meta.k8s.io") || !VERSIONS.contains(version)) {
            return null;
        }
        // Tables and versions before v1 have no protobuf form here.
        boolean isServed = !protobuf || (shape != Shape.TABLE && version.equals("v1"));
        return isServed ? new ResponseFormat(protobuf, shape, version) : null;
    }

    /**
     * Checks that the header accepts plain JSON.
     *
     * @throws HttpApiFailure 406 if it does not
     */
    static void requireJson(String accept) {
        if (accept.isBlank()) {
            return;
        }
        for (MediaRange range : MediaRange.parseAll(accept)) {
            if (range.includes(ApiRequest.JSON)
                    && range.quality() > 0
                    && range.parameter("as").isEmpty()) {
                return;
            }
        }
        throw HttpApiFailure.notAcceptable(accept, ApiRequest.JSON);
    }
}
