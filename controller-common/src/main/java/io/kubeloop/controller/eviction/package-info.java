/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What controllers share that remove pods from nodes: which taints a pod tolerates, the pods of a node, and the
 * condition that states why a pod is deleted.
 *
 * <p>Threading: everything is immutable or reads a thread-safe cache.
 */
@NullMarked
package io.kubeloop.controller.eviction;

import org.jspecify.annotations.NullMarked;
