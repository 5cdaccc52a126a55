/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.negotiation;

import io.kubeloop.apiserver.rest.StatusException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The format of a response.
 *
 * @param encoding the encoding of the document
 * @param shape the representation of the objects
 * @param version the version of the representation; empty for whole objects
 * @param pretty whether the client requests indented JSON
 */
public record ResponseFormat(Encoding encoding, Shape shape, String version, boolean pretty) {

    /** The encodings that the server supports, in the order of its preference. */
    public enum Encoding {
        /** JSON. */
        JSON("application/json"),
        /** YAML; watches have no such form. */
        YAML("application/yaml"),
        /** Kubernetes' protocol buffers. */
        PROTOBUF("application/vnd.kubernetes.protobuf");

        private final String mediaType;

        Encoding(String mediaType) {
            this.mediaType = mediaType;
        }

        /** Returns the media type. */
        public String mediaType() {
            return mediaType;
        }

        boolean isStream() {
            return this != YAML;
        }
    }

    /** The representation of objects. */
    public enum Shape {
        /** The whole object. */
        OBJECT,
        /** The cells of a table. */
        TABLE,
        /** Kind and metadata only. */
        METADATA,
        /** Kind and metadata of each object of a list. */
        METADATA_LIST
    }

    private static final Map<String, Shape> SHAPES = Map.of(
            "Table",
            Shape.TABLE,
            "PartialObjectMetadata",
            Shape.METADATA,
            "PartialObjectMetadataList",
            Shape.METADATA_LIST);

    private static final Set<Shape> WHOLE = EnumSet.of(Shape.OBJECT);
    private static final Set<Shape> WITHOUT_TABLES = EnumSet.complementOf(EnumSet.of(Shape.TABLE));

    private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");

    /** Encodings that the resources of a group offer; custom resources have no protocol buffers. */
    public static final List<Encoding> ALL = List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF);

    /** The media types of the watches, as the routes of upstream name them. */
    private static final String STREAMS =
            ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

    /** Whole objects in JSON. */
    public static final ResponseFormat PLAIN = new ResponseFormat(Encoding.JSON, Shape.OBJECT, "", false);

    /** Returns whether the response consists of the server's own bytes. */
    public boolean isPlain() {
        return equals(PLAIN);
    }

    /** Returns whether the response is in protocol buffers. */
    public boolean protobuf() {
        return encoding == Encoding.PROTOBUF;
    }

    /**
     * Checks that the header names a media type of a route. As upstream's router, this ignores parameters and compares
     * exactly, so {@code application/*} matches nothing.
     *
     * @param served the encodings of the resource
     * @param withStreams whether the route also serves watches
     * @throws StatusException 406 if it does not
     */
    public static void requireRoute(String accept, List<Encoding> served, boolean withStreams) {
        if (accept.isEmpty()) {
            return;
        }
        for (String clause : accept.split(",", -1)) {
            String type = clause.split(";", 2)[0].strip();
            if (type.equals("*/*")
                    || served.stream().anyMatch(encoding -> encoding.mediaType().equals(type))) {
                return;
            }
        }
        throw StatusException.route(
                406,
                "NotAcceptable",
                "Not Acceptable\n\nAvailable representations: " + names(served) + (withStreams ? STREAMS : ""));
    }

    /** Returns the media types of encodings, joined. */
    public static String names(List<Encoding> encodings) {
        return String.join(", ", encodings.stream().map(Encoding::mediaType).toList());
    }

    /**
     * Returns the format of the objects of a resource.
     *
     * @param accept the {@code Accept} header; empty if absent
     * @param served the encodings of the resource
     * @param tables whether the resource has tables; only resources that can be listed do
     * @throws StatusException 406 if the header accepts nothing that is served
     */
    public static ResponseFormat negotiate(String accept, List<Encoding> served, boolean tables) {
        ResponseFormat format = find(accept, served, tables ? EnumSet.allOf(Shape.class) : WITHOUT_TABLES);
        if (format == null) {
            throw StatusException.notAcceptable(names(served));
        }
        return format;
    }

    /**
     * Returns the format of a watch.
     *
     * @throws StatusException 406 if the header accepts nothing that can be streamed
     */
    public static ResponseFormat negotiateStream(String accept, List<Encoding> served) {
        ResponseFormat format = negotiate(accept, served, true);
        if (!format.encoding.isStream()) {
            throw StatusException.notAcceptable(String.join(
                    ", ",
                    served.stream()
                            .filter(Encoding::isStream)
                            .map(encoding -> encoding.mediaType() + ";stream=watch")
                            .toList()));
        }
        return format;
    }

    /**
     * Returns the format of a document that has one representation, such as that of discovery.
     *
     * @throws StatusException 406 if the header accepts nothing that is served
     */
    public static ResponseFormat ofDocument(String accept) {
        ResponseFormat format = find(accept, ALL, WHOLE);
        if (format == null) {
            throw StatusException.notAcceptable(names(ALL));
        }
        return format;
    }

    /**
     * Returns the format of a {@code Status}, which is never converted; indented JSON if the header accepts nothing
     * else.
     */
    public static ResponseFormat ofStatus(String accept, List<Encoding> served) {
        ResponseFormat format = find(accept, served, WHOLE);
        return format == null ? new ResponseFormat(Encoding.JSON, Shape.OBJECT, "", true) : format;
    }

    private static @Nullable ResponseFormat find(String accept, List<Encoding> served, Set<Shape> shapes) {
        if (accept.isEmpty()) {
            return new ResponseFormat(served.get(0), Shape.OBJECT, "", false);
        }
        for (MediaRange range : MediaRange.parseAll(accept)) {
            for (Encoding encoding : served) {
                ResponseFormat format = range.includes(encoding.mediaType()) ? of(range, encoding, shapes) : null;
                if (format != null) {
                    return format;
                }
            }
        }
        return null;
    }

    private static @Nullable ResponseFormat of(MediaRange range, Encoding encoding, Set<Shape> shapes) {
        String stream = range.parameter("stream");
        if (!stream.isEmpty() && (!stream.equals("watch") || !encoding.isStream())) {
            return null;
        }
        if (!range.parameter("sv").isEmpty()) {
            return null;
        }
        boolean pretty = range.parameter("pretty").equals("1");
        if (!isConversion(range)) {
            return new ResponseFormat(encoding, Shape.OBJECT, "", pretty);
        }
        Shape shape = SHAPES.get(range.parameter("as"));
        String version = range.parameter("v");
        if (shape == null || !shapes.contains(shape)) {
            return null;
        }
        boolean served = range.parameter("g").equals("meta.k8s.io")
                && VERSIONS.contains(version)
                && (shape != Shape.TABLE || encoding != Encoding.PROTOBUF);
        return served ? new ResponseFormat(encoding, shape, version, pretty) : null;
    }

    private static boolean isConversion(MediaRange range) {
        return range.parameters().containsKey("as")
                || range.parameters().containsKey("g")
                || range.parameters().containsKey("v");
    }
}
