/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that make no kind are errors of the compiler, at the line of the annotation or component. */
@SuppressWarnings("InlineFormatString") // a template of many lines is read by itself
class RefusedKindsTest {

    private static final String SOURCE = """
            package refused;
            import io.kubeloop.api.*;
            import io.kubeloop.crd.*;
            import io.kubeloop.crd.Schema.*;
            import io.kubeloop.crd.Schema.Enum;
            import java.util.*;
            import org.jspecify.annotations.Nullable;
            @CustomResource(%s, plural = "kinds")
            public record Kind(ObjectMeta metadata, Spec spec, UnknownFields unknownFields) implements \
            KindBuilder.With {
                record Spec(
                    int first,
                    %s,
                    UnknownFields unknownFields) {}
                record Tree(String name, List<Tree> children, UnknownFields unknownFields) {}
                record Bare(String name) {}
                record Port(String name, UnknownFields unknownFields) {}
                record Shown(@PrinterColumn String name, UnknownFields unknownFields) {}
                enum Phase { READY }
            }
            """;

    private static final String NAMES = "group = \"example.com\", version = \"v1\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "@Rule(\"self.missing > 1\") Port a | undefined field 'missing'",
                "@Rule(\"self.all(x, self.all(y, x != y))\") List<String> a"
                        + " | estimated rule cost exceeds budget by factor of more than 100x",
                "@Rule(value = \"self > 1\", reason = \"Wrong\") int a | reason: Unsupported value: \"Wrong\"",
                "@Default(\"0\") @Min(1) int a | default: Invalid value: 0: ",
                "@Default(\"x\") int a | the default of a value of type integer is JSON; \"x\" is none",
                "@Min(1) String a | @Min is about values of type integer; this one has the type string",
                "@MaxItems(1) String a | @MaxItems is about values of type array; this one has the type string",
                "@ListMap(keys = \"other\") List<Port> a | x-kubernetes-list-map-keys",
                "@ListSet Map<String, String> a | @ListSet is about values of type array",
                "@Required @Nullable String a | the component a is @Nullable, and so not required",
                "@Pattern(\"(\") String a | pattern",
                "@Enum String a | an enum needs values",
                "@EmbeddedResource Map<String, String> a | must not be used if x-kubernetes-embedded-resource is set",
                "@SelectableField List<String> a | must point to a field of type string, boolean or integer",
                "@PrinterColumn(type = \"text\") String a | must be one of boolean,date,integer,number,string",
                "double a | the codec cannot read or write the type double",
                "Map<Integer, String> a | the codec cannot read or write the type java.lang.String",
                "List<Long> a | the codec cannot read or write the type java.lang.Long",
                "Phase a | use String with @Enum(of = Phase.class)",
            })
    void component_isRefusedAtItsLine(String component, String message, @TempDir Path output) {
        assertThat(errors(output, NAMES, component))
                .anySatisfy(error ->
                        assertThat(error).startsWith("/refused/Kind.java:12: ").contains(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Tree a | 14 | a schema cannot be recursive: Kind.spec.Spec.a.Tree.children.Tree",
                "@ListMap(keys = \"name\") List<Port> a | 16 | so it must have a default or be a required property",
                "List<Shown> a | 17 | a value inside of a list or map has no path of its own",
                "Bare a | 15 | the record Bare needs a component \"UnknownFields unknownFields\"",
            })
    void record_isRefusedAtItsLine(String component, int line, String message, @TempDir Path output) {
        assertThat(errors(output, NAMES, component))
                .anySatisfy(error -> assertThat(error)
                        .startsWith("/refused/Kind.java:" + line + ": ")
                        .contains(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "group = \"example\", version = \"v1\" | should be a domain with at least one dot",
                "group = \"example.com\", version = \"V1\" | spec.versions[0].name: Invalid value: \"V1\"",
                "group = \"example.com\", version = \"v1\", storage = false | must have exactly one version marked",
                "group = \"x.k8s.io\", version = \"v1\" | protected groups must have approval annotation",
                "group = \"example.com\", version = \"v1\", scale = @CustomResource.Scale(spec = \".spec.b\","
                        + " status = \".status.c\") | the path .spec.b leads to no component of type integer",
            })
    void kind_isRefusedAtItsAnnotation(String names, String message, @TempDir Path output) {
        assertThat(errors(output, names, "String a"))
                .anySatisfy(error ->
                        assertThat(error).startsWith("/refused/Kind.java:8: ").contains(message));
    }

    private static Iterable<String> errors(Path output, String names, String component) {
        return CompiledKinds.of(output, Map.of("refused/Kind.java", SOURCE.formatted(names, component)))
                .errors();
    }
}
