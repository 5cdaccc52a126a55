/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Quotas, which limit all objects of a namespace together, and limit ranges, which limit each pod (upstream: the
 * admission plugins {@code ResourceQuota} and {@code LimitRanger}, {@code pkg/quota}, {@code
 * pkg/registry/core/resourcequota} and {@code limitrange}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.quota.QuotaLedger}, which admits every write into a namespace,
 * and at {@link io.kubeloop.apiserver.kinds.quota.LimitRanger}, which checks every new pod. The {@code
 * ...Strategy} and {@code ...Rules} types validate the quotas and limit ranges themselves.
 *
 * <p>The ledger owns the only lock of this package and holds it during the write that it charges. All other types
 * are immutable or confined to the writing thread.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.quota;

import org.jspecify.annotations.NullMarked;
