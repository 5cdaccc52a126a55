/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules that the schema of a definition must follow (upstream: {@code apiextensions-apiserver/pkg/apiserver/schema}
 * and the schema part of {@code pkg/apis/apiextensions/validation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.structural.CrdSchema}. All types have static functions
 * only, or are confined to one validation.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.structural;

import org.jspecify.annotations.NullMarked;
