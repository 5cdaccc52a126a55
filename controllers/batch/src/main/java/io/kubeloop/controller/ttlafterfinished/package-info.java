/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that deletes finished Jobs after their time to live (upstream: {@code
 * pkg/controller/ttlafterfinished}).
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers; one worker at a time syncs a key.
 */
@NullMarked
package io.kubeloop.controller.ttlafterfinished;

import org.jspecify.annotations.NullMarked;
