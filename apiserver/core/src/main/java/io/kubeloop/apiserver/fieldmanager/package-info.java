/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Server-side apply: which manager owns which fields of an object, and how an applied configuration is merged into it.
 *
 * <p>Start at {@link io.kubeloop.apiserver.fieldmanager.FieldManager}, which tracks updates and executes applies. A
 * {@link io.kubeloop.apiserver.fieldmanager.FieldSet} is the set of fields that one manager owns. The schema of {@code
 * io.kubeloop.json.schema} decides how lists and objects are merged.
 *
 * <p>All types are immutable and thread-safe; nothing blocks. Upstream: {@code sigs.k8s.io/structured-merge-diff} and
 * {@code k8s.io/apimachinery/pkg/util/managedfields}.
 */
@NullMarked
package io.kubeloop.apiserver.fieldmanager;

import org.jspecify.annotations.NullMarked;
