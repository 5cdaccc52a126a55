/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The four kinds of patch that an API server accepts, applied to JSON trees.
 *
 * <p>Entry type: {@link io.kubeloop.apiserver.patch.Patches}. JSON patches and merge patches are in {@code
 * io.kubeloop.json.patch}; strategic merge patches, which need the schema of a kind, are here. All types are immutable
 * or stateless, and so thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.patch;

import org.jspecify.annotations.NullMarked;
