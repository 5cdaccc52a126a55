/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of nodes, and of the classes that select how pods run on them.
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.validation.node.NodeRules}. Every type consists of pure functions.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation.node;

import org.jspecify.annotations.NullMarked;
