/** Golden vectors and a clock that stands still: what several test suites share. */
@NullMarked
package io.kubeloop.testing;

import org.jspecify.annotations.NullMarked;
