/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that fills cluster roles with an {@code aggregationRule}: their rules are those of the roles that they
 * select.
 *
 * <p>Entry type: {@link io.kubeloop.controller.clusterroleaggregation.ClusterRoleAggregationController}.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers.
 */
@NullMarked
package io.kubeloop.controller.clusterroleaggregation;

import org.jspecify.annotations.NullMarked;
