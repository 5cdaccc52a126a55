/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import java.util.List;
import java.util.stream.Stream;

/**
 * The media types of the request and response bodies of a resource. Immutable.
 *
 * @param bodies media types of request bodies other than patches
 * @param patches media types of patches
 * @param objects media types of responses
 * @param lists media types of lists and watches
 */
record MediaTypes(List<String> bodies, List<String> patches, List<String> objects, List<String> lists) {

    static final List<String> ANY = List.of("*/*");

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final List<String> COMMON_PATCHES =
            List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");

    /** The media types of built-in resources. */
    static final MediaTypes BUILT_IN = new MediaTypes(
            ANY,
            Stream.concat(COMMON_PATCHES.stream(), Stream.of("application/strategic-merge-patch+json"))
                    .toList(),
            List.of(JSON, YAML, PROTOBUF),
            List.of(JSON, YAML, PROTOBUF, JSON + ";stream=watch", PROTOBUF + ";stream=watch"));

    /** The media types of custom resources. */
    static final MediaTypes CUSTOM =
            new MediaTypes(List.of(JSON, YAML), COMMON_PATCHES, List.of(JSON, YAML), List.of(JSON, YAML));

    /** Returns the media types of responses in plain text. */
    List<String> texts() {
        return Stream.concat(Stream.of("text/plain"), objects.stream()).toList();
    }
}
