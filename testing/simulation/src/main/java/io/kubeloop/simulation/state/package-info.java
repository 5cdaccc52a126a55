/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The objects that a run leaves, without what differs between two equal runs: times, versions, UIDs, generated names.
 *
 * <p>Start at {@link io.kubeloop.simulation.state.EndState}. All types are immutable.
 */
@NullMarked
package io.kubeloop.simulation.state;

import org.jspecify.annotations.NullMarked;
