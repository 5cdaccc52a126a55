/**
 * The fields of the built-in kinds, for field validation and for the OpenAPI documents.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.fields.FieldTable}, which is loaded once and immutable.
 */
@NullMarked
package io.kubeloop.transport.memory.fields;

import org.jspecify.annotations.NullMarked;
