/* SPDX-License-Identifier: Apache-2.0 */
/**
 * CEL expressions for the API server, on the library {@code dev.cel:cel}.
 *
 * <p>Start at {@link io.kubeloop.apiserver.cel.KubernetesCel}, which the server finds as a service. Compiled
 * expressions are immutable and evaluated by many threads at once; the state of one evaluation is confined to its
 * thread. The jars of the library share packages, so this module has no module descriptor and belongs on the class
 * path.
 */
@NullMarked
package io.kubeloop.apiserver.cel;

import org.jspecify.annotations.NullMarked;
