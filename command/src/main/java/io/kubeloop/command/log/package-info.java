/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The logging backend of this program: levels by number as those of Kubernetes' programs, and lines of text or JSON.
 *
 * <p>Entry type: {@link io.kubeloop.command.log.Logs}. Threading: all types are thread-safe; a message is written by
 * the
 * thread that logs it.
 */
@NullMarked
package io.kubeloop.command.log;

import org.jspecify.annotations.NullMarked;
