/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The API group {@code batch}: Jobs and CronJobs. Every record is immutable.
 */
@NullMarked
package io.kubeloop.api.batch;

import org.jspecify.annotations.NullMarked;
