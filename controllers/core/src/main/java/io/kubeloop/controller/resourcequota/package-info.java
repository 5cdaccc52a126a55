/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The resource quota controller, which counts what the objects of a namespace use and writes it into the status of the
 * namespace's quotas.
 *
 * <p>Entry type: {@link io.kubeloop.controller.resourcequota.ResourceQuotaController}. In the order of an event: {@code
 * Replenishment} decides whether an event frees something; {@code QuotaQueues} holds the quotas to sync, those without
 * usage first; {@code QuotaSync} syncs one quota; {@code UsageCount} counts the cached objects.
 *
 * <p>Threading: handlers run on the informers' threads and add to the queues. Syncs run on the workers of three queues,
 * so two workers can count the same quota; the server accepts the write of one of them.
 */
@NullMarked
package io.kubeloop.controller.resourcequota;

import org.jspecify.annotations.NullMarked;
