/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The metadata of objects as trees: reading, writing, validation, names and UIDs (upstream: {@code
 * apimachinery/pkg/api/meta} and {@code api/validation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.objectmeta.Meta}. All types are immutable or consist of pure functions.
 */
@NullMarked
package io.kubeloop.apiserver.objectmeta;

import org.jspecify.annotations.NullMarked;
