/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The chain of plug-ins that change or reject the writes of clients (upstream: {@code apiserver/pkg/admission}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.admission.AdmissionPlugin}. Plug-ins are called on the threads of requests,
 * by many threads at once.
 */
@NullMarked
package io.kubeloop.apiserver.admission;

import org.jspecify.annotations.NullMarked;
