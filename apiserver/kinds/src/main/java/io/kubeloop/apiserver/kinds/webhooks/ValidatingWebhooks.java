/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Calls webhooks that allow or deny a write (upstream: the plug-in {@code ValidatingAdmissionWebhook}). Each webhook is
 * called, even after a rejection; the first rejection counts. Upstream calls them at the same time, this plug-in one
 * after the other. Thread-safe.
 */
public final class ValidatingWebhooks implements AdmissionPlugin {

    private final WebhookCalls calls;

    /**
     * Creates the plug-in.
     *
     * @param configurations the store of the ValidatingWebhookConfigurations
     */
    public ValidatingWebhooks(ApiBackend backend, ResourceStore configurations) {
        calls = new WebhookCalls(backend, configurations, false);
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        ask(request, object);
    }

    @Override
    public void validateDelete(AdmissionRequest request, JsonObject object) {
        ask(request, null);
    }

    @Override
    public void validateConnect(AdmissionRequest request, JsonObject options) {
        ask(request, options);
    }

    private void ask(AdmissionRequest request, @Nullable JsonObject object) {
        StatusException first = null;
        for (Webhook hook : calls.hooks(request)) {
            try {
                ResourceStore matched = calls.match(hook, request, object);
                if (matched != null) {
                    calls.call(hook, request, matched, object);
                }
            } catch (StatusException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
