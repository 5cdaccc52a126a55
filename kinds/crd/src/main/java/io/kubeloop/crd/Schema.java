/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Target;

/**
 * The annotations of values: what the server requires of a component, and how it merges, shows and selects it.
 *
 * <p>On a component they apply to its value, on a type argument, as in {@code List<@MaxLength(63) String>}, to each
 * element.
 */
public final class Schema {

    private Schema() {}

    /** The object must have the member. JSpecify's {@code @NonNull} means the same. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Required {}

    /** The value that the server stores if the member is absent: the text of a string, otherwise JSON. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Default {
        String value();
    }

    /** The smallest integer. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface Min {
        long value();
    }

    /** The largest integer. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface Max {
        long value();
    }

    /** The integer is a multiple of this one. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MultipleOf {
        long value();
    }

    /** A regular expression of RE2 that matches some part of the string. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface Pattern {
        String value();
    }

    /** The format of a string, such as {@code uri}, {@code duration} or {@code ipv4}. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface Format {
        String value();
    }

    /** The least number of characters. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MinLength {
        long value();
    }

    /** The largest number of characters. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MaxLength {
        long value();
    }

    /** The least number of elements of a list. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MinItems {
        long value();
    }

    /** The largest number of elements of a list. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MaxItems {
        long value();
    }

    /** The least number of members of a map or a record. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MinProperties {
        long value();
    }

    /** The largest number of members of a map or a record. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface MaxProperties {
        long value();
    }

    /**
     * The values that a string can have. The component stays a string, so that a program keeps a value that a later
     * version of the definition adds.
     */
    @SuppressWarnings("JavaLangClash") // the name of the keyword, as of all the others
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
    public @interface Enum {

        /** The values. */
        String[] value() default {};

        /** An enum whose constants are the values; {@code void} for none. */
        Class<?> of() default void.class;
    }

    /** The elements of the list are merged by these members, which no two elements may share. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface ListMap {

        /** The members that identify an element. */
        String[] keys();
    }

    /** The list has no two equal elements, and is merged as a set. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface ListSet {}

    /** The map or record is replaced as a whole by server-side apply, not merged. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface MapAtomic {}

    /** The server keeps members that the record does not have. Without it, the server removes them. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
    public @interface PreserveUnknownFields {}

    /** The value is a whole object with {@code apiVersion}, {@code kind} and {@code metadata}. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface EmbeddedResource {}

    /** A rule in CEL about the value {@code self}, and the one before a change, {@code oldSelf}. */
    @Repeatable(Rules.class)
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
    public @interface Rule {

        /** The expression, which returns true for a valid value. */
        String value();

        /** What a violation is reported as; empty for the expression itself. */
        String message() default "";

        /** An expression that returns the message; empty for none. */
        String messageExpression() default "";

        /** The reason of the error, such as {@code FieldValueForbidden}; empty for {@code FieldValueInvalid}. */
        String reason() default "";

        /** The path of the field that is reported, such as {@code .replicas}; empty for the value itself. */
        String fieldPath() default "";

        /** Whether the rule also holds for a new value; {@code oldSelf} is then an optional value. */
        boolean optionalOldSelf() default false;
    }

    /** Several rules of one value. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
    public @interface Rules {
        Rule[] value();
    }

    /** A column of {@code kubectl get}, on the component that it shows or on the record of the kind. */
    @Repeatable(PrinterColumns.class)
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
    public @interface PrinterColumn {

        /** The heading; empty for the name of the component with a capital letter. */
        String name() default "";

        /**
         * The path of the value. On a component it begins at the component; empty for the component itself. On the
         * record of the kind it begins at the object, as in {@code .metadata.creationTimestamp}.
         */
        String jsonPath() default "";

        /** The type: boolean, date, integer, number or string; empty for that of the component. */
        String type() default "";

        /** The format of the type; empty for none. */
        String format() default "";

        /** What the column shows; empty for the documentation of the component. */
        String description() default "";

        /** 0 to show the column always; larger for {@code -o wide} only. */
        int priority() default 0;
    }

    /** Several columns. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
    public @interface PrinterColumns {
        PrinterColumn[] value();
    }

    /** Clients can select objects by this component in lists and watches. */
    @Target(ElementType.RECORD_COMPONENT)
    public @interface SelectableField {}
}
