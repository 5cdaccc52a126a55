/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Admission policies (upstream: {@code apiserver/pkg/admission/plugin/policy/validating}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.policies.ValidatingPolicies}, which runs on the threads of requests.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.policies;

import org.jspecify.annotations.NullMarked;
