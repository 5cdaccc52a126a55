/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tests of operators without a cluster: a JUnit Jupiter extension that starts a control plane in the test's process and
 * injects clients of it.
 *
 * <p>Start at {@link io.kubeloop.junit.KubeloopTest}. Each control plane belongs to one test method or one test class,
 * so tests can run in parallel. JUnit calls the extension on the thread of the test; the injected objects are
 * thread-safe.
 */
@NullMarked
package io.kubeloop.junit;

import org.jspecify.annotations.NullMarked;
