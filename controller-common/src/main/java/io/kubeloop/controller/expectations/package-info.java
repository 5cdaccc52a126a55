/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The creations and deletions that a controller has requested and not yet observed (upstream: {@code
 * pkg/controller/controller_utils.go}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.expectations.UidTrackingControllerExpectations}.
 *
 * <p>Threading: thread-safe; handlers lower the counts that syncs have set.
 */
@NullMarked
package io.kubeloop.controller.expectations;

import org.jspecify.annotations.NullMarked;
