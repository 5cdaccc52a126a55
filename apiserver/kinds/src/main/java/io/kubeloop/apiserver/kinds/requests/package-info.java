/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What webhooks and admission policies share: which requests they match, and expressions about requests (upstream:
 * {@code apiserver/pkg/admission/plugin/webhook}, {@code plugin/cel}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.requests.RequestMatcher} and {@link
 * io.kubeloop.apiserver.kinds.requests.RequestFacts}. Everything compiled is immutable and shared by the threads of
 * requests; evaluations are confined to the thread of their request.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.requests;

import org.jspecify.annotations.NullMarked;
