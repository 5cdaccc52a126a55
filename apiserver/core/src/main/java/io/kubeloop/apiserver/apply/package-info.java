/**
 * The managers of the fields of the served objects: who owns which field, and what an apply changes.
 *
 * <p>Start at {@link io.kubeloop.apiserver.apply.FieldManagers}, which every stored resource has. The algorithm is in {@code
 * io.kubeloop.json.apply}. All types are thread-safe; nothing blocks.
 */
@NullMarked
package io.kubeloop.apiserver.apply;

import org.jspecify.annotations.NullMarked;
