/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller of HorizontalPodAutoscalers: it reads metrics, computes the wanted number of pods, and writes it to
 * the subresource {@code scale} of any kind.
 *
 * <p>Entry type: {@link io.kubeloop.controller.podautoscaling.HorizontalPodAutoscalerController}. Start reading at
 * {@code AutoscalerSync}.
 *
 * <p>Threading: the controller is thread-safe. Each autoscaler is synced by one worker at a time.
 */
@NullMarked
package io.kubeloop.controller.podautoscaling;

import org.jspecify.annotations.NullMarked;
