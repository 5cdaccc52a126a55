/**
 * Calls admission webhooks: selects the webhooks of a write, sends reviews over HTTPS, and applies the answers.
 *
 * <p>Everything runs on the thread of the request, without locks. A call blocks for at most the timeout of its webhook.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.webhooks;

import org.jspecify.annotations.NullMarked;
