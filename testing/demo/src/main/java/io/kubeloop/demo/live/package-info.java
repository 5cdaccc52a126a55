/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live page: the events that pass through informers, work queues and clients, as a stream of JSON and as the page
 * that draws it.
 *
 * <p>Entry types: {@link io.kubeloop.demo.live.LiveView}, which observes, and {@link io.kubeloop.demo.live.LivePage},
 * which serves. Threading: all types are thread-safe. Observers run on the threads of the loop and never block, except
 * in a demo whose viewer has paused it.
 */
@NullMarked
package io.kubeloop.demo.live;

import org.jspecify.annotations.NullMarked;
