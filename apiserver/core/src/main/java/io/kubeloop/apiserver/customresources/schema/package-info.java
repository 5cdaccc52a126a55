/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The schemas in custom resource definitions, as data (upstream: {@code apiextensions.JSONSchemaProps} and {@code
 * apiserver/schema.Structural}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.schema.SchemaProps}. Every type is
 * immutable or has static functions only.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.schema;

import org.jspecify.annotations.NullMarked;
