/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.json.tree.JsonString;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/**
 * The source of the builder of a record, in the form of the builders of api-model: {@code builder()}, {@code
 * builder(from)}, a method for each component, {@code build()}, and an interface {@code With}. Immutable.
 */
@SuppressWarnings("InlineFormatString") // a template of many lines is read by itself
final class BuilderSource {

    private static final String NULLABLE = "@org.jspecify.annotations.Nullable ";

    private static final Map<String, String> ZEROS = Map.of(
            "java.lang.String", "\"\"",
            "java.util.List", "java.util.List.of()",
            "java.util.Map", "java.util.Map.of()",
            "io.kubeloop.api.UnknownFields", "io.kubeloop.api.UnknownFields.NONE",
            "io.kubeloop.api.ObjectMeta", "io.kubeloop.api.ObjectMeta.EMPTY",
            "io.kubeloop.api.value.IntOrString", "io.kubeloop.api.value.IntOrString.of(0)",
            "int", "0",
            "long", "0",
            "boolean", "false");

    private static final String BUILDER = """
            %1$s/** Builds values of {@link %2$s}. Not thread-safe. */
            @SuppressWarnings({"all", "NullAway"})
            %3$sfinal class %4$s {

            %5$s
                private %4$s() {}

                /** Returns a builder of a value with defaults. */
                public static %4$s builder() {
                    return new %4$s();
                }

                /** Returns a builder of a changed value. */
                public static %4$s builder(%2$s from) {
                    %4$s builder = new %4$s();
            %6$s        return builder;
                }
            %7$s
                /** Returns the value. */
                public %2$s build() {
                    return new %2$s(%8$s);
                }

                /** The methods that make changed copies. The record implements it. */
                %3$sinterface With%9$s {
            %10$s%11$s    }
            }
            """;

    private static final String SETTER = """

                /** Sets {@code %1$s}. */
                public %4$s %1$s(%2$s %1$s) {
                    this.%1$s = %1$s;
                    return this;
                }
            """;

    private static final String WITH = """

                    /** Returns {@code %1$s}. */
                    %2$s %1$s();

                    /** Returns a copy with another {@code %1$s}. */
                    default %5$s with%6$s(%2$s %1$s) {
                        return new %5$s(%7$s);
                    }
            """;

    private static final String CONSTANT = """

                    /** The resource type. */
                    io.kubeloop.api.ResourceType<%1$s> TYPE = new io.kubeloop.api.ResourceType<>(
                            %2$s, %3$s, %4$s, %5$s, io.kubeloop.api.ResourceType.Scope.%6$s, %1$s.class);
            """;

    private final TypeElement record;
    private final @Nullable Mark kind;
    private final RecordTree tree;

    /**
     * Creates the source of a record.
     *
     * @param kind the annotation of the record of a kind; null for the records inside of it
     * @param tree the records around it
     */
    BuilderSource(TypeElement record, @Nullable Mark kind, RecordTree tree) {
        this.record = record;
        this.kind = kind;
        this.tree = tree;
    }

    static String packageOf(Element element) {
        @Nullable Element each = element;
        while (each != null && !(each instanceof PackageElement)) {
            each = each.getEnclosingElement();
        }
        return each instanceof PackageElement found ? found.getQualifiedName().toString() : "";
    }

    /** Returns the name of a generated type in the package of a type. */
    static String inPackageOf(TypeElement type, String simpleName) {
        String name = packageOf(type);
        return name.isEmpty() ? simpleName : name + "." + simpleName;
    }

    private static String simpleName(TypeElement record) {
        return RecordTree.flatName(record) + "Builder";
    }

    String qualifiedName() {
        return inPackageOf(record, simpleName(record));
    }

    /** Returns the declaration of the package of a type. */
    static String packageLine(TypeElement type) {
        return packageOf(type).isEmpty() ? "" : "package " + packageOf(type) + ";\n\n";
    }

    String text() {
        return BUILDER.formatted(
                packageLine(record),
                record.getQualifiedName(),
                RecordTree.isPublic(record) ? "public " : "",
                simpleName(record),
                each("    private %2$s %1$s = %3$s;\n"),
                each("        builder.%1$s = from.%1$s();\n"),
                each(SETTER),
                arguments("", ""),
                kind == null ? "" : " extends io.kubeloop.api.KubeObject",
                kind == null ? "" : constant(kind),
                each(WITH));
    }

    /** Returns a text for each component: name, type, first value, and so on, in the order of the templates. */
    private String each(String template) {
        return record.getRecordComponents().stream()
                .map(component -> {
                    String name = component.getSimpleName().toString();
                    return template.formatted(
                            name,
                            declared(component),
                            initial(component),
                            simpleName(record),
                            record.getQualifiedName(),
                            name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1),
                            arguments(name, "()"));
                })
                .collect(Collectors.joining());
    }

    private String constant(Mark of) {
        VariableElement scope = (VariableElement) of.values().get("scope");
        return CONSTANT.formatted(
                record.getQualifiedName(),
                literal(of.text("group")),
                literal(of.text("version")),
                literal(of.text("plural")),
                literal(Definition.kind(record, of)),
                scope == null ? "NAMESPACED" : scope.getSimpleName());
    }

    /** Returns the arguments of the constructor: calls of accessors, except of one component. */
    private String arguments(String changed, String call) {
        return record.getRecordComponents().stream()
                .map(component -> component.getSimpleName().toString())
                .map(name -> name.equals(changed) ? name : name + call)
                .collect(Collectors.joining(", "));
    }

    static String literal(String text) {
        return new JsonString(text).toString();
    }

    private static String declared(RecordComponentElement component) {
        String type = source(component.asType());
        return RecordSchema.isNullable(component) ? nullable(type) : type;
    }

    /** Returns a type as source, with the annotation before its simple name. */
    static String nullable(String type) {
        int generic = type.indexOf('<');
        int dot = type.lastIndexOf('.', generic < 0 ? type.length() : generic);
        return type.substring(0, dot + 1) + NULLABLE + type.substring(dot + 1);
    }

    /** Returns a type as source, without annotations. */
    static String source(TypeMirror type) {
        String name = RecordSchema.typeName(type);
        return type instanceof DeclaredType declared
                        && !declared.getTypeArguments().isEmpty()
                ? name
                        + declared.getTypeArguments().stream()
                                .map(BuilderSource::source)
                                .collect(Collectors.joining(", ", "<", ">"))
                : name;
    }

    /** Returns the value of a component that is not set: the default of the definition, otherwise the zero value. */
    private String initial(RecordComponentElement component) {
        String type = RecordSchema.typeName(component.asType());
        Mark stated = Mark.find(Mark.of(component), Mark.SCHEMA + "Default");
        String value = stated == null ? "" : stated.text("value");
        if (stated != null && type.equals("java.lang.String")) {
            return literal(value);
        }
        if (value.matches("-?\\d+|true|false") && !type.startsWith("java.util.") && !type.endsWith("IntOrString")) {
            return type.endsWith("ong") ? value + "L" : value;
        }
        if (RecordSchema.isNullable(component)) {
            return "null";
        }
        boolean isOwn = component.asType() instanceof DeclaredType declared
                && declared.asElement().getKind() == ElementKind.RECORD
                && tree.hasBuilder((TypeElement) declared.asElement());
        if (isOwn && stated == null) {
            TypeElement inner = (TypeElement) ((DeclaredType) component.asType()).asElement();
            return inPackageOf(inner, simpleName(inner)) + ".builder().build()";
        }
        return ZEROS.getOrDefault(type, "null");
    }
}
