/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The types of the API: which fields an object has, what they hold, and how two versions of a field are merged.
 *
 * <p>Start at {@link io.kubeloop.json.schema.TypeCatalog}, which has the types of Kubernetes. One description of the
 * types serves field validation, strategic merge, server-side apply, protocol buffers and the published OpenAPI
 * documents. Every type of this package is immutable once it is reachable from more than one thread.
 *
 * <p>The recorded text of all types has 94 kB (20 kB compressed), that of all resources 17 kB (4 kB compressed).
 */
@NullMarked
package io.kubeloop.json.schema;

import org.jspecify.annotations.NullMarked;
