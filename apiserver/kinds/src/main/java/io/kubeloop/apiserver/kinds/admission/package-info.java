/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Kubernetes' admission plug-ins for its own kinds (upstream: {@code plugin/pkg/admission}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.admission.StandardPlugins}, the table of all plug-ins in the order of
 * their calls. Every plug-in is thread-safe, and requests call it on their own threads. Only {@link
 * io.kubeloop.apiserver.kinds.admission.AccountLookup} waits, for a service account that a controller is about to
 * create.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.admission;

import org.jspecify.annotations.NullMarked;
