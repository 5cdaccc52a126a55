/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A controller's world on one thread, in virtual time: caches that lag, a network that loses answers, a work queue
 * without threads, and processes that come and go. Every choice comes from a seed.
 */
@NullMarked
package io.kubeloop.controller.simulation;

import org.jspecify.annotations.NullMarked;
