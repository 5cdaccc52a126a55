/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of addresses and connections: ingresses, network policies, address ranges and endpoints.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.network.NetworkPolicyRules}. Every type consists of pure
 * functions.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.network;

import org.jspecify.annotations.NullMarked;
