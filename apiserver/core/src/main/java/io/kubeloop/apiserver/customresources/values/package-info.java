/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The validation of values against a schema, in the words of upstream (upstream: {@code kube-openapi/pkg/validation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.customresources.values.ValueValidation}. Every type is immutable or has
 * static functions only, except {@link io.kubeloop.apiserver.customresources.values.Correlation} and the results, which
 * are confined to one validation.
 */
@NullMarked
package io.kubeloop.apiserver.customresources.values;

import org.jspecify.annotations.NullMarked;
