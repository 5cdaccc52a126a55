/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from an object to one of its fields (upstream: {@code fieldpath.Path}).
 *
 * @param elements the steps, from the object inwards
 */
public record FieldPath(List<PathElement> elements) {

    /** Copies the elements. */
    public FieldPath {
        elements = List.copyOf(elements);
    }

    /** Returns the path through the members with these names. */
    public static FieldPath of(String... names) {
        List<PathElement> elements = new ArrayList<>(names.length);
        for (String name : names) {
            elements.add(new PathElement.Field(name));
        }
        return new FieldPath(elements);
    }

    /** Returns the form in messages, such as {@code .spec.containers[name="web"].image}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        elements.forEach(text::append);
        return text.toString();
    }
}
