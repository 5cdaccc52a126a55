/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Pod Security Standards: levels, the checks of each level by version, and the admission plug-in (upstream: {@code
 * k8s.io/pod-security-admission}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.podsecurity.PodSecurity}. All types are immutable.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.podsecurity;

import org.jspecify.annotations.NullMarked;
