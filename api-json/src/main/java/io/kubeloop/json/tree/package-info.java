/**
 * JSON documents as immutable trees, for code that works on any kind of object: servers, patches, manifests.
 *
 * <p>Start at {@link io.kubeloop.json.tree.JsonValue}. Numbers keep their exact text, members keep their order. Everything
 * here is immutable and thread-safe. Controllers do not need this package: they use typed objects.
 */
@NullMarked
package io.kubeloop.json.tree;

import org.jspecify.annotations.NullMarked;
