/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Generates a builder for a record as {@code @RecordBuilder} does, and beside it the interface {@code ...Builder.With}
 * with a method {@code with...} for each component. The record must implement that interface.
 */
@RecordBuilder.Template(options = @RecordBuilder.Options(enableGetters = false, addStaticBuilder = false))
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface WithMethods {}
