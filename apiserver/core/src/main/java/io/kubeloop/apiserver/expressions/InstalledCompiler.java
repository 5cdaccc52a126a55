/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the compiler on the first use. Static functions only. */
final class InstalledCompiler {

    static final Optional<ExpressionCompiler> COMPILER = ServiceLoader.load(
                    ExpressionCompiler.class, ExpressionCompiler.class.getClassLoader())
            .findFirst();

    private InstalledCompiler() {}
}
