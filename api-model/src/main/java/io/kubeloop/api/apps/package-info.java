/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code apps} API group (upstream: {@code k8s.io/api/apps/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.apps.ReplicaSet}. Absent fields follow the rule of {@link io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.apps;

import org.jspecify.annotations.NullMarked;
