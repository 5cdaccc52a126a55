/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelOptions;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import io.kubeloop.json.gotext.GoNumbers;
import java.util.EnumSet;
import java.util.List;

/**
 * The library with the types and functions of Kubernetes. The class is initialized at the first compilation: without an
 * expression a server pays nothing for it. Static functions only.
 */
final class CelLibrary {

    private static final CelOptions OPTIONS =
            CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

    /** The functions of strings in the version that upstream uses. */
    private static final CelStringExtensions STRINGS =
            CelExtensions.strings(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE)));

    /** The functions of the libraries that run; {@link BoundedFunctions} has the others. */
    private static final CelStringExtensions RUN_STRINGS = CelExtensions.strings(EnumSet.complementOf(EnumSet.of(
            CelStringExtensions.Function.REVERSE,
            CelStringExtensions.Function.JOIN,
            CelStringExtensions.Function.REPLACE)));

    private static final CelListsExtensions RUN_LISTS = CelExtensions.lists(EnumSet.complementOf(EnumSet.of(
            CelListsExtensions.Function.RANGE,
            CelListsExtensions.Function.DISTINCT,
            CelListsExtensions.Function.FLATTEN)));

    static final CelCompiler COMPILER = compiler();
    static final CelRuntime RUNTIME = runtime();

    private CelLibrary() {}

    private static CelCompiler compiler() {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(
                        CelExtensions.optional(),
                        STRINGS,
                        CelExtensions.lists(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions());
        return builder.addFunctionDeclarations(FunctionTable.ALL.declarations(false))
                .build();
    }

    /**
     * Equality and concatenation of lists depend on the type of the lists, and numbers have Go's text; all other
     * operators are the library's.
     */
    private static CelRuntime runtime() {
        CelStandardFunctions standard = CelStandardFunctions.newBuilder()
                .filterFunctions((function, overload) -> function != StandardFunction.EQUALS
                        && function != StandardFunction.NOT_EQUALS
                        && overload != AddOverload.ADD_LIST
                        && overload != StringOverload.DOUBLE_TO_STRING)
                .build();
        return CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(standard)
                .addLibraries(
                        CelExtensions.optional(),
                        RUN_STRINGS,
                        RUN_LISTS,
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions())
                .addFunctionBindings(
                        CelFunctionBinding.from("equals", Object.class, Object.class, ValueOperators::areEqual),
                        CelFunctionBinding.from(
                                "not_equals", Object.class, Object.class, (x, y) -> !ValueOperators.areEqual(x, y)),
                        CelFunctionBinding.from("add_list", List.class, List.class, ValueOperators::concatenated),
                        CelFunctionBinding.from("double_to_string", Double.class, GoNumbers::text))
                .build();
    }
}
