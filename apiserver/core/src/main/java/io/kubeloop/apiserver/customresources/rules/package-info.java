/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules of custom resources in CEL ({@code x-kubernetes-validations}; upstream: {@code apiserver/schema/cel}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.rules.ValueRules}. A tree of rules is immutable and shared
 * by the threads of requests; the rest is confined to one validation.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.rules;

import org.jspecify.annotations.NullMarked;
