/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.kubeloop.api.value.IntOrString;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adjusts how a codec maps a record component to a member of a JSON object. A component without this annotation is the
 * member of the same name, and its strings are shared.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface JsonMember {

    /** The name of the member; empty means the name of the component. Use it for names that Java does not allow. */
    String name() default "";

    /**
     * Whether the codec replaces equal strings of this component by one instance. Disable it for strings that rarely
     * occur twice, such as names, UIDs, addresses and messages. Looking them up costs time and displaces other shared
     * strings.
     */
    boolean shared() default true;

    /**
     * Whether the codec omits the member when this {@code int}, {@code long}, {@code boolean} or {@link IntOrString} is
     * 0 or false. By default these are always written, because a server replaces an absent member by its default. The
     * built-in records set it where Go's type has {@code omitempty}.
     */
    boolean omitZero() default false;
}
