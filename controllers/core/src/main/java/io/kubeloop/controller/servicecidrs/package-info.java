/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of ServiceCIDRs, the ranges from which Services get their addresses (upstream: {@code
 * pkg/controller/servicecidrs}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.servicecidrs.ServiceCidrController}.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers. They share the queue.
 */
@NullMarked
package io.kubeloop.controller.servicecidrs;

import org.jspecify.annotations.NullMarked;
