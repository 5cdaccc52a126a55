/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Validation of the kinds that configure the API server itself: access, admission, priority and fairness, aggregation
 * and certificates.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.server.AccessRules}. All rules are static functions without
 * state.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.server;

import org.jspecify.annotations.NullMarked;
