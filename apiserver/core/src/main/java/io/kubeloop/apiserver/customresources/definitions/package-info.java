/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Custom resource definitions as objects: their defaults, validation, conditions and life cycle (upstream: {@code
 * apiextensions-apiserver}, {@code pkg/registry/customresourcedefinition}, {@code pkg/apis/apiextensions/validation}
 * and {@code pkg/controller}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.definitions.CrdStrategy}. All types are immutable or have
 * static functions only.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.definitions;

import org.jspecify.annotations.NullMarked;
