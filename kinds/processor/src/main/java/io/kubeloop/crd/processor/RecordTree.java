/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** The records that a record of a kind consists of. Immutable after its construction. */
final class RecordTree {

    private static final Set<String> OTHER_BUILDERS =
            Set.of("io.kubeloop.api.WithMethods", "io.soabase.recordbuilder.core.RecordBuilder");

    private final Map<String, TypeElement> records = new LinkedHashMap<>();
    private final Set<String> sources;
    private boolean complete = true;

    /**
     * Collects the records.
     *
     * @param sources the names of the types of this compilation that are not nested
     */
    RecordTree(TypeElement root, Set<String> sources) {
        this.sources = sources;
        visit(root);
    }

    private void visit(TypeElement type) {
        if (type.getKind() == ElementKind.RECORD && records.putIfAbsent(type.toString(), type) == null) {
            for (RecordComponentElement component : type.getRecordComponents()) {
                visit(component.asType());
            }
        }
    }

    private void visit(TypeMirror type) {
        complete &= type.getKind() != TypeKind.ERROR;
        if (type instanceof DeclaredType declared && type.getKind() == TypeKind.DECLARED) {
            visit((TypeElement) declared.asElement());
            declared.getTypeArguments().forEach(this::visit);
        }
    }

    /** Returns whether all types exist. Those that are still to be generated do not. */
    boolean isComplete() {
        return complete;
    }

    /** Returns the records of this compilation for which a builder can be generated, outermost first. */
    List<TypeElement> withBuilders() {
        return records.values().stream().filter(this::hasBuilder).toList();
    }

    boolean hasBuilder(TypeElement type) {
        if (!records.containsKey(type.toString())
                || Mark.of(type).stream().anyMatch(mark -> OTHER_BUILDERS.contains(mark.name()))) {
            return false;
        }
        Element outermost = type;
        for (Element each = type; each instanceof TypeElement; each = each.getEnclosingElement()) {
            if (each.getModifiers().contains(Modifier.PRIVATE)) {
                return false;
            }
            outermost = each;
        }
        return sources.contains(outermost.toString());
    }

    static boolean isPublic(TypeElement type) {
        for (Element each = type; each instanceof TypeElement; each = each.getEnclosingElement()) {
            if (!each.getModifiers().contains(Modifier.PUBLIC)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the names of a nested type without a separator, as in {@code BackupSpec}. */
    static String flatName(TypeElement type) {
        List<String> names = new ArrayList<>();
        for (Element each = type; each instanceof TypeElement; each = each.getEnclosingElement()) {
            names.add(0, each.getSimpleName().toString());
        }
        return String.join("", names);
    }
}
