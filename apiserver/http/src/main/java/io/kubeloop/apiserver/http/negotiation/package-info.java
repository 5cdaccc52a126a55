/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Content negotiation as upstream's: the clauses of {@code Accept} headers and the form of responses (upstream: {@code
 * apiserver/pkg/endpoints/handlers/negotiation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.negotiation.ResponseFormat}. All types are immutable or have no state.
 */
@NullMarked
package io.kubeloop.apiserver.http.negotiation;

import org.jspecify.annotations.NullMarked;
