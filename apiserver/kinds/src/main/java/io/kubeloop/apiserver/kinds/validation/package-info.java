/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Validation of fields, and the defaults of absent fields (upstream: {@code pkg/apis/core/validation}, {@code
 * apimachinery/pkg/api/validation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.objectmeta.MetaValidation}, the validation for all kinds, or at
 * {@link io.kubeloop.apiserver.kinds.validation.PodSpecRules}, the largest validation of one kind. The {@code
 * ...Rules} types add their errors to a {@link io.kubeloop.apiserver.fielderrors.FieldErrors}. Other types
 * read the value of a field, such as {@link io.kubeloop.apiserver.fielderrors.FieldCursor}. The rules of
 * services, quotas and limit ranges are in the packages of those kinds.
 *
 * <p>All types consist of functions of trees. They depend neither on stores nor on requests, keep no state, and may be
 * called from any thread. The exceptions are the collectors of errors, which are confined to the thread that validates.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.validation;

import org.jspecify.annotations.NullMarked;
