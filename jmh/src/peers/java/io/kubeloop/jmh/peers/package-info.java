/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The other libraries of the JVM, as contenders. Each is set up as its own examples do, with its defaults. Only the
 * Maven profile {@code peers} compiles this package.
 *
 * <p>Threading: see the interfaces of {@code io.kubeloop.jmh.contender}. Each library runs its informers on its own
 * threads.
 */
@NullMarked
package io.kubeloop.jmh.peers;

import org.jspecify.annotations.NullMarked;
