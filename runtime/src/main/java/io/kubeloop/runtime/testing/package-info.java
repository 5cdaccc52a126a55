/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Test support for code that uses a scheduler: {@link io.kubeloop.runtime.testing.ManualScheduler}, whose time a test
 * advances. Thread-safe.
 */
@NullMarked
package io.kubeloop.runtime.testing;

import org.jspecify.annotations.NullMarked;
