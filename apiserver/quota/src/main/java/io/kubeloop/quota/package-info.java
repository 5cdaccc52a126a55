/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The amounts of resources that objects use, and the objects to which a quota applies (upstream: {@code
 * k8s.io/apiserver/pkg/quota} and {@code pkg/quota/v1}).
 *
 * <p>Start at {@link io.kubeloop.quota.QuotaUsage}. The API server charges these amounts when it admits an object,
 * and the resource quota controller counts them afterwards. Both use this package, so their results agree.
 *
 * <p>All types consist of functions of trees, or are immutable. They may be called from any thread.
 */
@NullMarked
package io.kubeloop.quota;

import org.jspecify.annotations.NullMarked;
