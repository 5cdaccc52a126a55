/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The effects of a schema on objects: pruning, defaults, and the rules of embedded metadata and of lists (upstream:
 * {@code apiextensions-apiserver/pkg/apiserver/schema}, packages {@code pruning}, {@code defaulting}, {@code
 * objectmeta}, {@code listtype}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.objects.Pruning} and {@link
 * io.kubeloop.apiserver.customresources.objects.Defaulting}. All types have static functions only, which return new
 * values.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.objects;

import org.jspecify.annotations.NullMarked;
