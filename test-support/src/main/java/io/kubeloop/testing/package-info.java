/**
 * What several test suites share: golden vectors, a clock that moves by hand, a JVM with a small heap, checks for deadlocks, held
 * locks and leaked threads.
 */
@NullMarked
package io.kubeloop.testing;

import org.jspecify.annotations.NullMarked;
