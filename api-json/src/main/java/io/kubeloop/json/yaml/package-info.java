/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads YAML into JSON trees, as Kubernetes' tools do, and manifests from YAML.
 *
 * <p>Entry type: {@link io.kubeloop.json.yaml.Manifests}. Scalars have the same values as in kubectl: {@code 0644} is
 * 420, {@code yes} is true, a date is a string. All types are stateless or immutable, and so thread-safe.
 */
@NullMarked
package io.kubeloop.json.yaml;

import org.jspecify.annotations.NullMarked;
