/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The defaults of absent fields, by type (upstream: {@code SetDefaults_} functions of {@code pkg/apis}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.defaults.TypeDefaults}. {@link
 * io.kubeloop.apiserver.kinds.defaults.DefaultsTable} combines the tables of all API groups. A table consists of
 * values, such as {@code core.v1.Probe.periodSeconds}, and of functions for defaults that depend on other fields.
 *
 * <p>All types are stateless or immutable and may be called from any thread.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.defaults;

import org.jspecify.annotations.NullMarked;
