/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The one work queue: entry type {@link io.kubeloop.workqueue.queue.KeyedWorkQueue}, whose lock guards the state of all
 * items. It is thread-safe; {@code get} and {@code shutDownWithDrain} block. The types that it is made of are guarded
 * by its lock.
 */
@NullMarked
package io.kubeloop.workqueue.queue;

import org.jspecify.annotations.NullMarked;
