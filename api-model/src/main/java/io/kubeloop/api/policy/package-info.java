/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code policy} API group (upstream: {@code k8s.io/api/policy/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.policy.PodDisruptionBudget}. Absent fields follow the rule of {@link
 * io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.policy;

import org.jspecify.annotations.NullMarked;
