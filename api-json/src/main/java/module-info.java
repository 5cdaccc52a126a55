/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON of Kubernetes objects: a codec for records, and trees, patches, manifests and protocol buffers for any document.
 *
 * <p>This module is separate from the objects, so that programs without JSON need no JSON library. No type of Moshi,
 * Okio or SnakeYAML appears in a public signature.
 */
module io.kubeloop.json {
    requires transitive io.kubeloop.api;
    requires static transitive org.jspecify;
    requires com.squareup.moshi;
    requires okio;
    requires org.yaml.snakeyaml;

    exports io.kubeloop.json;
    exports io.kubeloop.json.apply;
    exports io.kubeloop.json.patch;
    exports io.kubeloop.json.protobuf;
    exports io.kubeloop.json.schema;
    exports io.kubeloop.json.tree;
    exports io.kubeloop.json.typed;
    exports io.kubeloop.json.yaml;
}
