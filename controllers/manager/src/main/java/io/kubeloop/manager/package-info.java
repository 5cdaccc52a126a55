/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller manager as a library: the table of Kubernetes' controllers, a choice of them by name, their options,
 * and the manager that runs them together.
 *
 * <p>Entry type: {@link io.kubeloop.manager.ControllerManager}. Threading: a manager may be used by any thread; its
 * start blocks on nothing, and {@code close} waits for current syncs. Tables, options and selections are immutable.
 */
@NullMarked
package io.kubeloop.manager;

import org.jspecify.annotations.NullMarked;
