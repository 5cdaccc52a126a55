/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.crd.processor.Mark.InvalidSourceException;
import io.kubeloop.crd.processor.Mark.Origin;
import io.kubeloop.json.yaml.YamlWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * Writes the definitions and builders of the records with {@code @CustomResource}, and the unions of the interfaces
 * with {@code @Union}.
 *
 * <p>A record whose components have types that are still to be generated waits for the next round. Definitions are
 * written in the last round, when all versions are known; nothing is written for a compilation with errors.
 */
public final class CustomResourceProcessor extends AbstractProcessor {

    private final Map<String, Definition> definitions = new TreeMap<>();
    private final Set<String> pending = new TreeSet<>();
    private final Set<String> sources = new HashSet<>();
    private final Set<String> unions = new HashSet<>();
    private final Set<String> built = new HashSet<>();
    private final Set<String> checked = new HashSet<>();
    private boolean failed;

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(Mark.CUSTOM_RESOURCE, Mark.UNION);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        round.getRootElements().stream()
                .map(Element::toString)
                .filter(name -> !unions.contains(name))
                .forEach(sources::add);
        for (TypeElement annotation : annotations) {
            for (Element element : round.getElementsAnnotatedWith(annotation)) {
                String name = element.toString();
                if (annotation.getQualifiedName().contentEquals(Mark.UNION)) {
                    attempt(() -> union((TypeElement) element));
                } else {
                    pending.add(name);
                }
            }
        }
        if (round.processingOver()) {
            if (!failed && !round.errorRaised()) {
                definitions.forEach(this::write);
            }
            return false;
        }
        for (String name : List.copyOf(pending)) {
            TypeElement record = processingEnv.getElementUtils().getTypeElement(name);
            attempt(() -> {
                if (new RecordTree(record, sources).isComplete()) {
                    pending.remove(name);
                    resource(record);
                }
            });
        }
        if (pending.isEmpty()) {
            // In this round, not in the last one, in which the compiler knows no lines of annotations.
            definitions.forEach((name, definition) -> {
                if (checked.add(name)) {
                    definition.check(this::report);
                }
            });
        }
        return false;
    }

    /** A step that may find an error of the user. */
    private interface Step {
        void run() throws InvalidSourceException, IOException;
    }

    private void attempt(Step step) {
        try {
            step.run();
        } catch (InvalidSourceException e) {
            report(e.origin(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            report(null, "cannot write a generated file: " + e);
        }
    }

    private void report(@Nullable Origin origin, String message) {
        failed = true;
        Element element = origin == null ? null : inSource(origin.element());
        processingEnv
                .getMessager()
                .printMessage(Diagnostic.Kind.ERROR, message, element, origin == null ? null : origin.mirror());
    }

    /** Returns the element that has a line: a component of a record has none for the compiler, its field has. */
    private static Element inSource(Element element) {
        Element record = element.getEnclosingElement();
        return element.getKind() != ElementKind.RECORD_COMPONENT || record == null
                ? element
                : record.getEnclosedElements().stream()
                        .filter(other -> other.getKind() == ElementKind.FIELD)
                        .filter(field -> field.getSimpleName().equals(element.getSimpleName()))
                        .map(Element.class::cast)
                        .findFirst()
                        .orElse(element);
    }

    private void union(TypeElement type) throws InvalidSourceException, IOException {
        UnionSource union = UnionSource.of(type, processingEnv.getElementUtils());
        unions.add(union.qualifiedName());
        source(union.qualifiedName(), union.text(), List.of(type));
    }

    private void resource(TypeElement record) throws InvalidSourceException, IOException {
        List<Mark> marks = Mark.of(record);
        Mark mark = Objects.requireNonNull(Mark.find(marks, Mark.CUSTOM_RESOURCE));
        if (record.getKind() != ElementKind.RECORD) {
            throw mark.error("only a record can be a kind");
        }
        RecordTree tree = new RecordTree(record, sources);
        // The builders come first: without them, the compiler reports each use of them, too.
        for (TypeElement part : tree.withBuilders()) {
            if (built.add(part.toString())) {
                BuilderSource builder = new BuilderSource(part, part.equals(record) ? mark : null, tree);
                source(builder.qualifiedName(), builder.text(), List.of(part));
            }
        }
        RecordSchema.Result result = RecordSchema.of(record, processingEnv.getElementUtils());
        definitions
                .computeIfAbsent(Definition.name(mark), name -> new Definition())
                .add(record, mark, result);
    }

    private void source(String name, String text, List<TypeElement> origins) throws IOException {
        try (Writer out = processingEnv
                .getFiler()
                .createSourceFile(name, origins.toArray(Element[]::new))
                .openWriter()) {
            out.write(text);
        }
    }

    private void write(String name, Definition definition) {
        attempt(() -> {
            try (Writer out = processingEnv
                    .getFiler()
                    .createResource(
                            StandardLocation.CLASS_OUTPUT,
                            "",
                            "META-INF/kubeloop/crds/" + name + ".yaml",
                            definition.records())
                    .openWriter()) {
                out.write(YamlWriter.write(definition.document()));
            }
        });
    }
}
