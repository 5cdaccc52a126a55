/**
 * Which fields the built-in kinds have: to tell a client that it has made a slip, and to describe the kinds in OpenAPI.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.http.fields.FieldTable}, which is read once and immutable.
 */
@NullMarked
package io.kubeloop.transport.memory.http.fields;

import org.jspecify.annotations.NullMarked;
