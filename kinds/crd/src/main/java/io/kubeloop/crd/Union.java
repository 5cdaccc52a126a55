/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Turns a sealed interface of records into a union: an object with a discriminator and a member for the chosen record.
 *
 * <p>For {@code sealed interface Source permits Git, Bucket} the processor writes the record {@code SourceUnion}, which
 * is the type of components. {@code SourceUnion.of(source)} makes one, and {@code value()} returns the record that it
 * holds. In JSON it is <code>{"type": "Git", "git": {...}}</code>. The server rejects an object without the member that
 * the discriminator names, and one with another member.
 */
@Documented
@Target(ElementType.TYPE)
public @interface Union {

    /** The name of the discriminator. */
    String discriminator() default "type";
}
