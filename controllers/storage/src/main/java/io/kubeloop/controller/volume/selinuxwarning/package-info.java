/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that finds pods which could not share a volume if nodes mounted it with SELinux labels (upstream:
 * {@code pkg/controller/volume/selinuxwarning}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.volume.selinuxwarning.SelinuxWarningController}.
 *
 * <p>Threading: handlers run on the informers' threads, one of them reads the table of volumes under its lock. Syncs
 * run
 * on one worker.
 */
@NullMarked
package io.kubeloop.controller.volume.selinuxwarning;

import org.jspecify.annotations.NullMarked;
