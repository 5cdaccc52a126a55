/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code autoscaling} API group (upstream: {@code k8s.io/api/autoscaling/v2}).
 *
 * <p>Entry type: {@link io.kubeloop.api.autoscaling.HorizontalPodAutoscaler}. Absent fields follow the rule of {@link
 * io.kubeloop.api}. Quantities are texts, which {@link io.kubeloop.api.value.Quantity#parse} reads; an absent quantity
 * is empty.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.autoscaling;

import org.jspecify.annotations.NullMarked;
