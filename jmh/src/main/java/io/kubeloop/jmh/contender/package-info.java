/**
 * Who is measured: this library and, in the profile {@code peers}, the others that a program on the JVM could take instead. Each
 * stands behind the same few interfaces, so that one benchmark asks all of them the same question; a fork of a benchmark has but
 * one of them in it, so the JVM calls it directly.
 *
 * <p>Threading: as each interface says.
 */
@NullMarked
package io.kubeloop.jmh.contender;

import org.jspecify.annotations.NullMarked;
