/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON documents as immutable trees, for code that handles any kind of object, such as servers, patches and manifests.
 *
 * <p>Entry type: {@link io.kubeloop.json.tree.JsonValue}. Numbers keep their exact text, and members keep their order.
 * All types except {@link io.kubeloop.json.tree.JsonObject.Builder} are immutable, and so thread-safe.
 */
@NullMarked
package io.kubeloop.json.tree;

import org.jspecify.annotations.NullMarked;
