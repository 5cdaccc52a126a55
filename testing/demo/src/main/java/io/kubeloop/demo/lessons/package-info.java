/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The control plane of a demo whose time and faults a viewer controls.
 *
 * <p>Entry type: {@link io.kubeloop.demo.lessons.LiveDemo}. Threading: all types are thread-safe; commands run on the
 * threads of the HTTP server or of the terminal, one at a time.
 */
@NullMarked
package io.kubeloop.demo.lessons;

import org.jspecify.annotations.NullMarked;
