/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Changes declarations as their schema allows, and a little further.
 *
 * <p>Start at {@link io.kubeloop.simulation.declaration.DeclarationGenerator}. All types are immutable.
 */
@NullMarked
package io.kubeloop.simulation.declaration;

import org.jspecify.annotations.NullMarked;
