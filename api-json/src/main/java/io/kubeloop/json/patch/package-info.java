/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON patches and merge patches, applied to JSON trees, and the computation of merge patches.
 *
 * <p>Start at {@link io.kubeloop.json.patch.JsonPatch} and {@link io.kubeloop.json.patch.MergePatch}. All types are
 * immutable or stateless, and so thread-safe.
 */
@NullMarked
package io.kubeloop.json.patch;

import org.jspecify.annotations.NullMarked;
