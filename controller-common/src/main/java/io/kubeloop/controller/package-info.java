/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The parts that every controller is built from: worker loop, expectations, ownership and pod control.
 *
 * <p>Entry types: {@link io.kubeloop.controller.Controller} is the contract that a manager starts and stops. {@link
 * io.kubeloop.controller.ControllerLoop} runs a controller's queue. {@link
 * io.kubeloop.controller.expectations.ControllerExpectations} keeps a controller from acting twice on a cache that lags
 * behind its own writes. {@link io.kubeloop.controller.ControllerRefManager} decides which pods an owner controls.
 * {@code io.kubeloop.controller.runner} starts and stops the controllers of a process.
 *
 * <p>Threading: loop, expectations and pod control are thread-safe; a reference manager serves one sync on one thread.
 */
@NullMarked
package io.kubeloop.controller;

import org.jspecify.annotations.NullMarked;
