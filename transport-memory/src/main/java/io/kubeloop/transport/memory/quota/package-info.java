/**
 * What a namespace may use: quotas, which limit all of its objects together, and limit ranges, which limit each pod (upstream: the
 * admission plugins {@code ResourceQuota} and {@code LimitRanger}, {@code pkg/quota}, and {@code pkg/registry/core/resourcequota} and
 * {@code limitrange}).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.quota.QuotaLedger}, through which every write into a namespace goes, and at {@link
 * io.kubeloop.transport.memory.quota.LimitRanger}, which looks at every new pod. {@code ...Strategy} and {@code ...Rules} are about the
 * quotas and limit ranges themselves.
 *
 * <p>The ledger has the one lock, which is held over the write that is charged; all else is immutable or belongs to the thread that
 * writes.
 */
@NullMarked
package io.kubeloop.transport.memory.quota;

import org.jspecify.annotations.NullMarked;
