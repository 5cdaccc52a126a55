/**
 * Threads and calls into user code: which threads exist, when they have ended, and what happens when a callback throws.
 * Thread-safe.
 */
@NullMarked
package io.kubeloop.controller.threads;

import org.jspecify.annotations.NullMarked;
