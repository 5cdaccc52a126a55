/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd;

import io.kubeloop.api.ResourceType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Turns a record into a kind of the API.
 *
 * <p>For a record {@code Backup} the processor writes the definition into {@code
 * META-INF/kubeloop/crds/PLURAL.GROUP.yaml}, and the class {@code BackupBuilder}. The record must implement {@code
 * BackupBuilder.With}: it brings the constant {@code Backup.TYPE} and a method {@code with...} for each component. The
 * components {@code metadata}, {@code spec}, {@code status} and {@code unknownFields} have their usual meaning; a
 * component {@code status} is also a subresource.
 *
 * <p>Several records with the same group and plural are versions of one definition, without a conversion between them.
 */
@Documented
@Target(ElementType.TYPE)
public @interface CustomResource {

    /** The API group, a domain such as {@code example.com}. */
    String group();

    /** The version of the record, such as {@code v1}. */
    String version();

    /** The name in paths, such as {@code backups}. */
    String plural();

    /** The kind; empty for the simple name of the record. */
    String kind() default "";

    /** The singular name; empty for the kind in lower case. */
    String singular() default "";

    /** Short names for kubectl. */
    String[] shortNames() default {};

    /** Groups of resources, such as {@code all}. */
    String[] categories() default {};

    /** Whether objects belong to namespaces. */
    ResourceType.Scope scope() default ResourceType.Scope.NAMESPACED;

    /** Whether the server stores objects in this version. Exactly one version of a definition must say true. */
    boolean storage() default true;

    /** Whether the server serves this version. */
    boolean served() default true;

    /** Whether the server warns clients that use this version. */
    boolean deprecated() default false;

    /** The text of that warning; empty for the server's own. */
    String deprecationWarning() default "";

    /** The scale subresource: at most one. */
    Scale[] scale() default {};

    /** The fields of the scale subresource, as paths such as {@code .spec.replicas}. */
    @Target({})
    @interface Scale {

        /** The path of the desired number, below {@code .spec}. */
        String spec();

        /** The path of the present number, below {@code .status}. */
        String status();

        /** The path of the label selector as a string; empty for none. */
        String selector() default "";
    }
}
