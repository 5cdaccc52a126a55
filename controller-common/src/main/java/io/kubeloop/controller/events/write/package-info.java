/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes, queues and writes events of the core group: the machinery beneath
 * {@link io.kubeloop.controller.events.EventBroadcaster}.
 *
 * <p>Entry types: {@link io.kubeloop.controller.events.write.EventQueue} between recorders and the broadcaster's
 * thread, {@link io.kubeloop.controller.events.write.EventWriter} for the writes. Recorders and queue are thread-safe;
 * backlog and writer are confined to the broadcaster's thread, except for their counters.
 */
@NullMarked
package io.kubeloop.controller.events.write;

import org.jspecify.annotations.NullMarked;
