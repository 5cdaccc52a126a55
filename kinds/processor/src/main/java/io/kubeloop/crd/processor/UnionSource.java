/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.crd.processor.Mark.InvalidSourceException;
import io.kubeloop.crd.processor.Mark.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/** The source of the union of a sealed interface. Immutable. */
final class UnionSource {

    private final TypeElement type;
    private final String discriminator;
    private final List<Choice> choices;
    private final @Nullable String documentation;

    /**
     * One record of the union.
     *
     * @param type its qualified name
     * @param name its simple name, which is the value of the discriminator
     * @param member the member that holds it
     */
    private record Choice(String type, String name, String member) {}

    private UnionSource(TypeElement type, String discriminator, List<Choice> choices, @Nullable String documentation) {
        this.type = type;
        this.discriminator = discriminator;
        this.choices = choices;
        this.documentation = documentation;
    }

    static UnionSource of(TypeElement type, Elements elements) throws InvalidSourceException {
        Mark mark = Objects.requireNonNull(Mark.find(Mark.of(type), Mark.UNION));
        if (type.getKind() != ElementKind.INTERFACE
                || type.getPermittedSubclasses().isEmpty()) {
            throw mark.error("a union is a sealed interface");
        }
        List<Choice> choices = new ArrayList<>();
        Set<String> taken = new TreeSet<>(Set.of(mark.text("discriminator"), "unknownFields"));
        for (TypeMirror permitted : type.getPermittedSubclasses()) {
            TypeElement choice = (TypeElement) ((DeclaredType) permitted).asElement();
            String name = choice.getSimpleName().toString();
            String member = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
            if (choice.getKind() != ElementKind.RECORD) {
                throw new InvalidSourceException(
                        new Origin(choice, null), "the union " + type.getSimpleName() + " can only consist of records");
            }
            if (!taken.add(member) || javax.lang.model.SourceVersion.isKeyword(member)) {
                throw new InvalidSourceException(
                        new Origin(choice, null),
                        "the member " + member + " of the union " + type.getSimpleName()
                                + " needs another name: rename the record");
            }
            choices.add(new Choice(choice.getQualifiedName().toString(), name, member));
        }
        return new UnionSource(type, mark.text("discriminator"), choices, elements.getDocComment(type));
    }

    static String simpleName(TypeElement type) {
        return RecordTree.flatName(type) + "Union";
    }

    String qualifiedName() {
        return BuilderSource.inPackageOf(type, simpleName(type));
    }

    String text() {
        String union = simpleName(type);
        String choice = type.getQualifiedName().toString();
        String summary = JavadocText.main(documentation);
        StringBuilder out = new StringBuilder(BuilderSource.packageLine(type));
        out.append("/** ").append(summary.isEmpty() ? "One of the records of a union." : escaped(summary));
        out.append(" */\n@SuppressWarnings({\"all\", \"NullAway\"})\n");
        for (Choice each : choices) {
            String escapedName =
                    ExpressionCompiler.RESERVED.contains(each.member) ? "__" + each.member + "__" : each.member;
            out.append("@io.kubeloop.crd.Schema.Rule(value = \"has(self.").append(escapedName);
            out.append(") == (self.")
                    .append(discriminator)
                    .append(" == '")
                    .append(each.name)
                    .append("')\",\n");
            out.append("        message = \"must be set if ")
                    .append(discriminator)
                    .append(" is ")
                    .append(each.name);
            out.append(", and must not be set otherwise\", fieldPath = \".")
                    .append(each.member)
                    .append("\")\n");
        }
        out.append(RecordTree.isPublic(type) ? "public " : "")
                .append("record ")
                .append(union)
                .append("(\n");
        out.append("        @io.kubeloop.crd.Schema.Required @io.kubeloop.crd.Schema.Enum({");
        out.append(choices.stream().map(each -> "\"" + each.name + "\"").collect(Collectors.joining(", ")));
        out.append("}) String ").append(discriminator).append(",\n");
        for (Choice each : choices) {
            int dot = each.type.lastIndexOf('.');
            out.append("        ").append(each.type, 0, dot + 1).append("@org.jspecify.annotations.Nullable ");
            out.append(each.type.substring(dot + 1))
                    .append(" ")
                    .append(each.member)
                    .append(",\n");
        }
        out.append("        io.kubeloop.api.UnknownFields unknownFields) {\n\n");
        out.append("    /** Returns the union that holds a record. */\n");
        out.append("    public static ")
                .append(union)
                .append(" of(")
                .append(choice)
                .append(" value) {\n");
        for (Choice each : choices) {
            out.append("        if (value instanceof ").append(each.type).append(" chosen) {\n            return new ");
            out.append(union).append("(\"").append(each.name).append("\", ");
            out.append(choices.stream()
                    .map(other -> other.equals(each) ? "chosen" : "null")
                    .collect(Collectors.joining(", ")));
            out.append(", io.kubeloop.api.UnknownFields.NONE);\n        }\n");
        }
        out.append("        throw new IllegalArgumentException(\"no record of the union: \" + value);\n    }\n\n");
        out.append(
                "    /** Returns the record; null if the union is empty, or holds one that this program lacks. */\n");
        out.append("    public ").append(nullable(choice)).append(" value() {\n        return ");
        for (Choice each : choices) {
            out.append(each.member).append(" != null ? ").append(each.member).append(" : ");
        }
        return out.append("null;\n    }\n}\n").toString();
    }

    private static String nullable(String name) {
        int dot = name.lastIndexOf('.');
        return name.substring(0, dot + 1) + "@org.jspecify.annotations.Nullable " + name.substring(dot + 1);
    }

    /** Returns plain text as a comment. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("*/", "* /");
    }
}
