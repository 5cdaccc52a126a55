/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of namespaces, which deletes the content of a terminating namespace and then its finalizer.
 *
 * <p>Entry type: {@link io.kubeloop.controller.namespace.NamespaceController}. {@code NamespaceSync} syncs one
 * namespace, {@code NamespaceContent} deletes what it contains, and {@code ContentReport} turns the outcome into
 * conditions.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers, with one worker at a time for a
 * namespace. A {@code ContentReport} belongs to one sync; all other types are immutable.
 */
@NullMarked
package io.kubeloop.controller.namespace;

import org.jspecify.annotations.NullMarked;
