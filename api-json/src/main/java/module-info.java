/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON of Kubernetes objects: a codec for records, and trees, patches, manifests and protocol buffers for any document.
 *
 * <p>This module is separate from the objects, so programs without JSON need no JSON library. No type of Moshi,
 * Okio or SnakeYAML appears in a public signature.
 */
@SuppressWarnings("module") // the modules that see the qualified exports are built later
module io.kubeloop.json {
    requires transitive io.kubeloop.api;
    requires static transitive org.jspecify;
    requires com.squareup.moshi;
    requires okio;
    requires org.yaml.snakeyaml;

    exports io.kubeloop.json;
    exports io.kubeloop.json.encoding to
            io.kubeloop.apiserver,
            io.kubeloop.apiserver.http,
            io.kubeloop.apiserver.kinds,
            io.kubeloop.apiserver.command,
            io.kubeloop.controllers.certificates,
            io.kubeloop.transport.http;
    exports io.kubeloop.json.gotext;
    exports io.kubeloop.json.patch;
    exports io.kubeloop.json.protobuf;
    exports io.kubeloop.json.scan to
            io.kubeloop.apiserver;
    exports io.kubeloop.json.schema;
    exports io.kubeloop.json.tree;
    exports io.kubeloop.json.yaml;
}
