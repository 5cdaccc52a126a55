/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The four kinds of patch that an API server accepts, applied to JSON trees, and the computation of merge patches.
 *
 * <p>Entry type: {@link io.kubeloop.json.patch.Patches}, which applies a patch of any kind. The other types also work
 * alone. All types are immutable or stateless, and so thread-safe.
 */
@NullMarked
package io.kubeloop.json.patch;

import org.jspecify.annotations.NullMarked;
