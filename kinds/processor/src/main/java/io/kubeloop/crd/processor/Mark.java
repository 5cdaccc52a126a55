/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * An annotation with its values. Annotations are read by name, so the processor needs no class of theirs.
 * Immutable.
 *
 * @param name the qualified name of the annotation
 * @param values the values by member, defaults included
 * @param origin where it stands
 */
record Mark(String name, Map<String, Object> values, Origin origin) {

    private static final String OURS = "io.kubeloop.crd.";

    private static final List<String> READ = List.of(OURS, "jakarta.validation.", "io.kubeloop.api.JsonMember");

    /** The prefix of the annotations of values. */
    static final String SCHEMA = OURS + "Schema.";

    static final String CUSTOM_RESOURCE = OURS + "CustomResource";
    static final String UNION = OURS + "Union";

    /**
     * The place of an error.
     *
     * @param element the annotated element
     * @param mirror the annotation; null for the element itself
     */
    record Origin(Element element, @Nullable AnnotationMirror mirror) {}

    /** An error of the user. */
    static final class InvalidSourceException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Origin origin;

        InvalidSourceException(Origin origin, String message) {
            super(message, null, false, false);
            this.origin = origin;
        }

        Origin origin() {
            return origin;
        }
    }

    /** The values of other annotations are not read: the class path may lack what their classes refer to. */
    private static Mark of(AnnotationMirror mirror, Element element) {
        Map<String, Object> values = new LinkedHashMap<>();
        TypeElement type = (TypeElement) mirror.getAnnotationType().asElement();
        String name = type.getQualifiedName().toString();
        if (READ.stream().anyMatch(name::startsWith)) {
            for (ExecutableElement member : ElementFilter.methodsIn(type.getEnclosedElements())) {
                AnnotationValue value = mirror.getElementValues().get(member);
                AnnotationValue used = value == null ? member.getDefaultValue() : value;
                if (used != null) {
                    values.put(member.getSimpleName().toString(), used.getValue());
                }
            }
        }
        return new Mark(name, values, new Origin(element, mirror));
    }

    /** Returns the annotations of an element. */
    static List<Mark> of(Element element) {
        return of(element.getAnnotationMirrors(), element);
    }

    /** Returns the annotations of a type at the place where it is used. */
    static List<Mark> of(TypeMirror use, Element element) {
        return of(use.getAnnotationMirrors(), element);
    }

    /**
     * Returns the annotations of a component, once each. Those that may not stand on a component, such as Jakarta's,
     * are on its accessor or on its type.
     */
    static List<Mark> of(RecordComponentElement component) {
        Map<String, List<Mark>> found = new LinkedHashMap<>();
        for (List<Mark> place : List.of(
                of((Element) component),
                of(component.asType(), component),
                of(component.getAccessor()),
                of(component.getAccessor().getReturnType(), component))) {
            Map<String, List<Mark>> here = new LinkedHashMap<>();
            place.forEach(mark ->
                    here.computeIfAbsent(mark.name, key -> new ArrayList<>()).add(mark));
            here.forEach(found::putIfAbsent);
        }
        return found.values().stream().flatMap(Collection::stream).toList();
    }

    private static List<Mark> of(List<? extends AnnotationMirror> mirrors, Element element) {
        List<Mark> marks = new ArrayList<>();
        for (AnnotationMirror mirror : mirrors) {
            Mark mark = of(mirror, element);
            List<Mark> repeated = mark.name.endsWith("Rules") || mark.name.endsWith("PrinterColumns")
                    ? mark.nested("value")
                    : List.of(mark);
            marks.addAll(repeated);
        }
        return marks;
    }

    static @Nullable Mark find(List<Mark> marks, String name) {
        return marks.stream().filter(mark -> mark.name.equals(name)).findFirst().orElse(null);
    }

    String text(String member) {
        return String.valueOf(values.getOrDefault(member, ""));
    }

    long number(String member) {
        return ((Number) values.getOrDefault(member, 0)).longValue();
    }

    boolean isTrue(String member) {
        return Boolean.TRUE.equals(values.get(member));
    }

    /** Returns the elements of a member that is an array of strings. */
    List<String> texts(String member) {
        return elements(member).stream()
                .map(value -> String.valueOf(value.getValue()))
                .toList();
    }

    /** Returns the elements of a member that is an array of annotations. */
    List<Mark> nested(String member) {
        return elements(member).stream()
                .map(value -> of((AnnotationMirror) value.getValue(), origin.element()))
                .toList();
    }

    private List<AnnotationValue> elements(String member) {
        List<AnnotationValue> elements = new ArrayList<>();
        if (values.get(member) instanceof List<?> list) {
            list.forEach(value -> elements.add((AnnotationValue) value));
        }
        return elements;
    }

    InvalidSourceException error(String message) {
        return new InvalidSourceException(origin, message);
    }
}
