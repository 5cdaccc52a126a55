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
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/** The source of the union of a sealed interface. Immutable. */
@SuppressWarnings("InlineFormatString") // a template of many lines is read by itself
final class UnionSource {

    private static final String TEMPLATE = """
            %1$s/** %2$s */
            @SuppressWarnings({"all", "NullAway"})
            %3$s%4$srecord %5$s(
                    @io.kubeloop.crd.Schema.Required @io.kubeloop.crd.Schema.Enum({%6$s}) String %7$s,
            %8$s        io.kubeloop.api.UnknownFields unknownFields) {

                /** Returns the union that holds a record. */
                public static %5$s of(%9$s value) {
            %10$s        throw new IllegalArgumentException("no record of the union: " + value);
                }

                /** Returns the record; null if the union is empty, or holds one that this program lacks. */
                public %11$s value() {
                    return %12$snull;
                }
            }
            """;

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
    private record Choice(String type, String name, String member) {

        /** Returns the name of the component: that of the member, unless it is a keyword of Java. */
        String component() {
            return SourceVersion.isKeyword(member) ? member + "_" : member;
        }
    }

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
        if (!SourceVersion.isName(mark.text("discriminator"))) {
            throw mark.error("the discriminator is an identifier of Java");
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
            if (!taken.add(member)) {
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
        String summary = JavadocText.main(documentation);
        return TEMPLATE.formatted(
                BuilderSource.packageLine(type),
                summary.isEmpty() ? "One of the records of a union." : escaped(summary),
                each(this::rule),
                RecordTree.isPublic(type) ? "public " : "",
                simpleName(type),
                choices.stream().map(choice -> '"' + choice.name + '"').collect(Collectors.joining(", ")),
                discriminator,
                each(UnionSource::component),
                type.getQualifiedName(),
                each(this::creation),
                BuilderSource.nullable(type.getQualifiedName().toString()),
                each(choice -> choice.component() + " != null ? " + choice.component() + " : "));
    }

    private String each(Function<Choice, String> line) {
        return choices.stream().map(line).collect(Collectors.joining());
    }

    private String rule(Choice choice) {
        return """
                @io.kubeloop.crd.Schema.Rule(value = "has(self.%s) == (self.%s == '%s')", fieldPath = ".%s",
                        message = "must be set if %s is %3$s, and must not be set otherwise")
                """.formatted(inCel(choice.member), inCel(discriminator), choice.name, choice.member, discriminator);
    }

    private static String component(Choice choice) {
        String named = choice.component().equals(choice.member)
                ? ""
                : "@io.kubeloop.api.JsonMember(name = \"" + choice.member + "\") ";
        return "        " + named + BuilderSource.nullable(choice.type) + " " + choice.component() + ",\n";
    }

    private String creation(Choice choice) {
        String arguments = choices.stream()
                .map(other -> other.equals(choice) ? "chosen" : "null")
                .collect(Collectors.joining(", "));
        return """
                        if (value instanceof %s chosen) {
                            return new %s("%s", %s, io.kubeloop.api.UnknownFields.NONE);
                        }
                """.formatted(choice.type, simpleName(type), choice.name, arguments);
    }

    private static String inCel(String member) {
        return ExpressionCompiler.RESERVED.contains(member) ? "__" + member + "__" : member;
    }

    /** Returns plain text as a comment. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("*/", "* /");
    }
}
