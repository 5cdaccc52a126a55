/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tables of objects, as {@code kubectl get} shows them (upstream: {@code k8s.io/kubernetes/pkg/printers}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.table.Tables}. The columns of a kind come from its plug-in. Every type is
 * immutable and thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.table;

import org.jspecify.annotations.NullMarked;
