/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.BytesValue;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DoubleValue;
import com.google.protobuf.Duration;
import com.google.protobuf.Empty;
import com.google.protobuf.FloatValue;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Int64Value;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.Value;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            CelStringExtensions.Function.REPLACE,
            CelStringExtensions.Function.INDEX_OF,
            CelStringExtensions.Function.LAST_INDEX_OF,
            CelStringExtensions.Function.SUBSTRING)));

    private static final CelListsExtensions LISTS = CelExtensions.lists(
            EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.SORT, CelListsExtensions.Function.SORT_BY)));

    private static final CelListsExtensions RUN_LISTS = CelExtensions.lists(EnumSet.complementOf(EnumSet.of(
            CelListsExtensions.Function.SORT,
            CelListsExtensions.Function.SORT_BY,
            CelListsExtensions.Function.RANGE,
            CelListsExtensions.Function.DISTINCT,
            CelListsExtensions.Function.FLATTEN)));

    /** The types of protocol buffers that expressions can name. */
    private static final List<Descriptor> MESSAGES = List.of(
            Any.getDescriptor(),
            BoolValue.getDescriptor(),
            BytesValue.getDescriptor(),
            DoubleValue.getDescriptor(),
            Duration.getDescriptor(),
            Empty.getDescriptor(),
            FloatValue.getDescriptor(),
            Int32Value.getDescriptor(),
            Int64Value.getDescriptor(),
            ListValue.getDescriptor(),
            StringValue.getDescriptor(),
            Struct.getDescriptor(),
            Timestamp.getDescriptor(),
            UInt32Value.getDescriptor(),
            UInt64Value.getDescriptor(),
            Value.getDescriptor());

    private static final Set<StandardFunction> REPLACED = EnumSet.of(
            StandardFunction.EQUALS,
            StandardFunction.NOT_EQUALS,
            StandardFunction.INT,
            StandardFunction.UINT,
            StandardFunction.DOUBLE,
            StandardFunction.STRING,
            StandardFunction.BOOL,
            StandardFunction.DURATION,
            StandardFunction.TIMESTAMP);

    private static final Set<String> REPLACED_OVERLOADS = Stream.concat(
                    Stream.of("add_list"), TimeFunctions.ROWS.stream().map(FunctionRow::overload))
            .collect(Collectors.toSet());

    static final CelCompiler COMPILER = compiler();
    static final CelRuntime RUNTIME = runtime();

    private CelLibrary() {}

    private static CelCompiler compiler() {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addMacros(SortFunctions.SORT_BY)
                .addMessageTypes(MESSAGES)
                .addLibraries(
                        CelExtensions.optional(),
                        STRINGS,
                        LISTS,
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions());
        return builder.addFunctionDeclarations(FunctionTable.ALL.declarations(false))
                .build();
    }

    /**
     * Equality and concatenation of lists depend on the type of the lists; {@link Conversions} replaces those of the
     * library; all other operators are the library's.
     */
    private static CelRuntime runtime() {
        CelStandardFunctions standard = CelStandardFunctions.newBuilder()
                .filterFunctions((function, overload) -> !REPLACED.contains(function)
                        && !REPLACED_OVERLOADS.contains(overload.toString().toLowerCase(Locale.ROOT)))
                .build();
        return CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .addMessageTypes(MESSAGES)
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
                        CelFunctionBinding.from("add_list", List.class, List.class, ValueOperators::concatenated))
                .build();
    }
}
