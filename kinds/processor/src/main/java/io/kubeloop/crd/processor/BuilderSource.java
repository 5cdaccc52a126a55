/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.json.tree.JsonString;
import java.util.List;
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
final class BuilderSource {

    private static final String NULLABLE = "@org.jspecify.annotations.Nullable ";

    private static final Map<String, String> ZEROS = Map.of(
            "java.lang.String", "\"\"",
            "java.util.List", "java.util.List.of()",
            "java.util.Map", "java.util.Map.of()",
            "io.kubeloop.api.UnknownFields", "io.kubeloop.api.UnknownFields.NONE",
            "io.kubeloop.api.ObjectMeta", "io.kubeloop.api.ObjectMeta.EMPTY",
            "io.kubeloop.api.IntOrString", "io.kubeloop.api.IntOrString.of(0)",
            "int", "0",
            "long", "0",
            "boolean", "false");

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
        String type = record.getQualifiedName().toString();
        String builder = simpleName(record);
        StringBuilder out = new StringBuilder(packageLine(record));
        out.append("/** Builds values of {@link ").append(type).append("}. Not thread-safe. */\n");
        out.append("@SuppressWarnings({\"all\", \"NullAway\"})\n");
        out.append(RecordTree.isPublic(record) ? "public " : "")
                .append("final class ")
                .append(builder);
        out.append(" {\n\n");
        for (RecordComponentElement component : record.getRecordComponents()) {
            out.append("    private ").append(declared(component)).append(" ").append(component.getSimpleName());
            out.append(" = ").append(initial(component)).append(";\n");
        }
        out.append("\n    private ").append(builder).append("() {}\n\n");
        out.append("    /** Returns a builder of a value with defaults. */\n");
        out.append("    public static ").append(builder).append(" builder() {\n");
        out.append("        return new ").append(builder).append("();\n    }\n\n");
        out.append("    /** Returns a builder of a changed value. */\n");
        out.append("    public static ")
                .append(builder)
                .append(" builder(")
                .append(type)
                .append(" from) {\n");
        out.append("        ")
                .append(builder)
                .append(" builder = new ")
                .append(builder)
                .append("();\n");
        for (RecordComponentElement component : record.getRecordComponents()) {
            String name = component.getSimpleName().toString();
            out.append("        builder.")
                    .append(name)
                    .append(" = from.")
                    .append(name)
                    .append("();\n");
        }
        out.append("        return builder;\n    }\n");
        for (RecordComponentElement component : record.getRecordComponents()) {
            String name = component.getSimpleName().toString();
            out.append("\n    /** Sets {@code ").append(name).append("}. */\n");
            out.append("    public ").append(builder).append(" ").append(name).append("(");
            out.append(declared(component)).append(" ").append(name).append(") {\n");
            out.append("        this.").append(name).append(" = ").append(name).append(";\n");
            out.append("        return this;\n    }\n");
        }
        out.append("\n    /** Returns the value. */\n");
        out.append("    public ").append(type).append(" build() {\n");
        out.append("        return new ")
                .append(type)
                .append("(")
                .append(arguments("", ""))
                .append(");\n    }\n");
        appendWith(type, out);
        return out.append("}\n").toString();
    }

    private void appendWith(String type, StringBuilder out) {
        out.append("\n    /** The methods that make changed copies. The record implements it. */\n");
        out.append("    ").append(RecordTree.isPublic(record) ? "public " : "").append("interface With");
        out.append(kind == null ? "" : " extends io.kubeloop.api.KubeObject").append(" {\n");
        if (kind != null) {
            out.append("\n        /** The resource type. */\n");
            out.append("        io.kubeloop.api.ResourceType<").append(type).append("> TYPE =\n");
            out.append("                new io.kubeloop.api.ResourceType<>(");
            out.append(List.of("group", "version", "plural").stream()
                    .map(kind::text)
                    .map(BuilderSource::literal)
                    .collect(Collectors.joining(", ")));
            out.append(", ").append(literal(Definition.kind(record, kind)));
            VariableElement scope = (VariableElement) kind.values().get("scope");
            out.append(",\n                        io.kubeloop.api.ResourceType.Scope.");
            out.append(scope == null ? "NAMESPACED" : scope.getSimpleName()).append(", ");
            out.append(type).append(".class);\n");
        }
        for (RecordComponentElement component : record.getRecordComponents()) {
            String name = component.getSimpleName().toString();
            String with = "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            out.append("\n        /** Returns {@code ").append(name).append("}. */\n");
            out.append("        ")
                    .append(declared(component))
                    .append(" ")
                    .append(name)
                    .append("();\n");
            out.append("\n        /** Returns a copy with another {@code ")
                    .append(name)
                    .append("}. */\n");
            out.append("        default ").append(type).append(" ").append(with).append("(");
            out.append(declared(component)).append(" ").append(name).append(") {\n            return new ");
            out.append(type).append("(").append(arguments(name, "()")).append(");\n        }\n");
        }
        out.append("    }\n");
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
        if (!RecordSchema.isNullable(component)) {
            return type;
        }
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
