/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the core API group, such as pods and services (upstream: {@code k8s.io/api/core/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.core.Pod}. Absent fields follow the rule of {@link io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.core;

import org.jspecify.annotations.NullMarked;
