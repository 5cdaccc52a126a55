/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Time, threads and calls of user code (upstream: {@code k8s.io/utils/clock} and {@code
 * k8s.io/apimachinery/pkg/util/runtime}).
 *
 * <p>Entry types: {@link io.kubeloop.runtime.Scheduler} is the time of a program, and runs tasks at their time; a test
 * replaces it. {@link io.kubeloop.runtime.OwnedThreads} starts the threads of one owner and waits for their end. {@link
 * io.kubeloop.runtime.UserCallbacks} runs code of the user, whose errors end no thread.
 *
 * <p>Every type is thread-safe unless its Javadoc states otherwise.
 */
@NullMarked
package io.kubeloop.runtime;

import org.jspecify.annotations.NullMarked;
