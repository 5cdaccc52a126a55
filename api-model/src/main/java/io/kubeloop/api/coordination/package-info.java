/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code coordination.k8s.io} API group (upstream: {@code k8s.io/api/coordination/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.coordination.Lease}. Absent fields follow the rule of {@link io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.coordination;

import org.jspecify.annotations.NullMarked;
