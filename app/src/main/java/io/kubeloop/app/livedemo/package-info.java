/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The control plane of a demo whose time and faults a viewer controls.
 *
 * <p>Entry type: {@link io.kubeloop.app.livedemo.LiveDemo}. Threading: all types are thread-safe; commands run on the
 * threads of the HTTP server or of the terminal, one at a time.
 */
@NullMarked
package io.kubeloop.app.livedemo;

import org.jspecify.annotations.NullMarked;
