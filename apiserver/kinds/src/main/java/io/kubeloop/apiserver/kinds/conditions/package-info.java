/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Conditions that kube-apiserver itself keeps in the objects that configure it.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.conditions.ServerConditions}, which is thread-safe. The other types
 * are functions without state.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.conditions;

import org.jspecify.annotations.NullMarked;
