/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code discovery.k8s.io} API group (upstream: {@code k8s.io/api/discovery/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.discovery.EndpointSlice}. Absent fields follow the rule of {@link
 * io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.discovery;

import org.jspecify.annotations.NullMarked;
