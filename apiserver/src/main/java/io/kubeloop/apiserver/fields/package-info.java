/**
 * The fields of the built-in kinds, for field validation and for the OpenAPI documents.
 *
 * <p>Start at {@link io.kubeloop.apiserver.fields.FieldTable}, which is loaded once and immutable.
 */
@NullMarked
package io.kubeloop.apiserver.fields;

import org.jspecify.annotations.NullMarked;
