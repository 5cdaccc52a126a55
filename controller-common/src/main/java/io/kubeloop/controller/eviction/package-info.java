/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shared parts of controllers that remove pods from nodes: tolerations, the pods of a node, and the condition that
 * states why a pod is deleted.
 *
 * <p>Threading: everything is immutable or reads a thread-safe cache.
 */
@NullMarked
package io.kubeloop.controller.eviction;

import org.jspecify.annotations.NullMarked;
