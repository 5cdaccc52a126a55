/**
 * Decides whether a user may send a request: the questions, and the interface of what answers them.
 *
 * <p>All types are immutable or must be thread-safe. Answers are computed on the thread of the request.
 */
@NullMarked
package io.kubeloop.apiserver.access;

import org.jspecify.annotations.NullMarked;
