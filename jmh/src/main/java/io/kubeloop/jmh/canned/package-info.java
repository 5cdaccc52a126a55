/**
 * An API server that costs next to nothing: all it will say was written down before. It shares the machine, and the process, with
 * the client that is measured.
 *
 * <p>Threading: one thread accepts, each connection has one that answers, and each watch one more that waits for its end.
 */
@NullMarked
package io.kubeloop.jmh.canned;

import org.jspecify.annotations.NullMarked;
