/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calls webhooks. For admission webhooks, it selects those of a write and applies their answers. For conversion
 * webhooks, it only sends the reviews.
 *
 * <p>Everything runs on the thread of the request, without locks. A call blocks for at most the timeout of its webhook.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.webhooks;

import org.jspecify.annotations.NullMarked;
