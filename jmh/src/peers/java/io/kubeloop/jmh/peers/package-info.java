/**
 * The other libraries of the JVM, as contenders. Each is wired as its own examples do it, with its defaults. Only in the profile
 * {@code peers}: an ordinary build knows nothing of them.
 *
 * <p>Threading: that of the interfaces they implement; each library runs its informers on threads of its own.
 */
@NullMarked
package io.kubeloop.jmh.peers;

import org.jspecify.annotations.NullMarked;
