/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Helpers that several test suites share: golden vectors, a manual clock, JVMs with a small heap, and checks for
 * deadlocks, held locks and leaked threads.
 */
@NullMarked
package io.kubeloop.testing;

import org.jspecify.annotations.NullMarked;
