/**
 * A {@link io.kubeloop.api.client.Transport} on the JDK's own HTTP client, in three classes.
 *
 * <p>Threading: requests run on the threads of their callers; a transport has three threads of its own, which are gone when
 * its {@code close()} has returned.
 */
@NullMarked
package io.kubeloop.transport.jdk;

import org.jspecify.annotations.NullMarked;
