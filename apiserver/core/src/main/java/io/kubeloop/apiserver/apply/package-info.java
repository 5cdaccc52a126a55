/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Field management of served objects: the manager of each field, and the changes that an apply makes.
 *
 * <p>Start at {@link io.kubeloop.apiserver.apply.FieldManagers}, which every stored resource has. The algorithm is in
 * {@code io.kubeloop.apiserver.fieldmanager}. All types are thread-safe; nothing blocks.
 */
@NullMarked
package io.kubeloop.apiserver.apply;

import org.jspecify.annotations.NullMarked;
