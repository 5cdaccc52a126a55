/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A {@link io.kubeloop.api.client.Transport} on the JDK's own HTTP client, in three classes.
 *
 * <p>Threading: requests run on the threads of their callers. A transport has three threads of its own, which have
 * ended when its {@code close()} returns.
 */
@NullMarked
package io.kubeloop.transport.jdk;

import org.jspecify.annotations.NullMarked;
