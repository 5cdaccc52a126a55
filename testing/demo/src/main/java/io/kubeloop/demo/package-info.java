/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The command {@code demo}: it applies manifests and explains how they converge.
 *
 * <p>Entry type: {@link io.kubeloop.demo.DemoCommand}. Threading: the main thread prints; handlers of informers
 * only wake it.
 */
@NullMarked
package io.kubeloop.demo;

import org.jspecify.annotations.NullMarked;
