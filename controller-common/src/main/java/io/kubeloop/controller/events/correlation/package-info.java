/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Condenses events before they are written: aggregate similar ones, count equal ones, filter spam (upstream: the
 * correlator of {@code client-go/tools/record}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.events.correlation.EventCorrelator}. Everything here is confined to the
 * thread of the broadcaster.
 */
@NullMarked
package io.kubeloop.controller.events.correlation;

import org.jspecify.annotations.NullMarked;
