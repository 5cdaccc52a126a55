/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The interface to a compiler of CEL expressions, which the optional module {@code apiserver-cel} implements.
 *
 * <p>Start at {@link io.kubeloop.apiserver.expressions.ExpressionCompiler}. Compilers and expressions are called by
 * many threads at once, on the threads of requests.
 */
@NullMarked
package io.kubeloop.apiserver.expressions;

import org.jspecify.annotations.NullMarked;
