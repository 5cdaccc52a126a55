/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The HTTP pages of a controller manager: health, metrics, and the pipeline.
 *
 * <p>Entry type: {@link io.kubeloop.manager.command.pages.ManagerHttp}. Threading: all types are thread-safe; pages
 * are computed
 * on the threads of the HTTP server.
 */
@NullMarked
package io.kubeloop.manager.command.pages;

import org.jspecify.annotations.NullMarked;
