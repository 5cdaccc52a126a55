/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The conversions between the served versions of one resource that differ in more than their {@code apiVersion}
 * (upstream: the {@code conversion.go} of each version in {@code pkg/apis}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.conversion.StorageForms}, the table of all conversions. All types are
 * stateless.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.conversion;

import org.jspecify.annotations.NullMarked;
