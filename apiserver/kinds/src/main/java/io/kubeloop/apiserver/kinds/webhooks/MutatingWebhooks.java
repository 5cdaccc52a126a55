/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.ReinvocablePlugin;
import io.kubeloop.apiserver.admission.SeenStates;
import io.kubeloop.apiserver.kinds.requests.MutableView;
import io.kubeloop.apiserver.patch.MergeSchema;
import io.kubeloop.apiserver.patch.Patches;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets webhooks change objects (upstream: the plug-in {@code MutatingAdmissionWebhook} and {@code
 * admission/reinvocation.go}).
 *
 * <p>The webhooks are called one after the other, by the name of their configuration. If one of them changes the
 * object, the plug-ins before this one run again, and then the webhooks whose {@code reinvocationPolicy} is {@code
 * IfNeeded} and that have not seen the change. Thread-safe.
 */
public final class MutatingWebhooks implements ReinvocablePlugin {

    private final ApiBackend backend;
    private final WebhookCalls calls;

    /**
     * Creates the plug-in.
     *
     * @param configurations the store of the MutatingWebhookConfigurations
     */
    public MutatingWebhooks(ApiBackend backend, ResourceStore configurations) {
        this.backend = backend;
        calls = new WebhookCalls(backend, configurations, true);
    }

    @Override
    public Round round(AdmissionRequest request) {
        return new Calls(request);
    }

    @Override
    public void validateDelete(AdmissionRequest request, JsonObject object) {
        ask(request, null);
    }

    /** As for a deletion, the webhooks can reject the request; their patches have no effect. */
    @Override
    public void validateConnect(AdmissionRequest request, JsonObject options) {
        ask(request, options);
    }

    private void ask(AdmissionRequest request, @Nullable JsonObject object) {
        for (Webhook hook : calls.hooks(request)) {
            ResourceStore matched = calls.match(hook, request, object);
            if (matched != null) {
                calls.call(hook, request, matched, object);
            }
        }
    }

    /** The calls for one write. Confined to the thread of the request. */
    private final class Calls implements Round {

        private final AdmissionRequest request;
        private final SeenStates<Webhook> states = new SeenStates<>();
        private final List<Webhook> hooks;
        private JsonObject current = JsonObject.EMPTY;
        private boolean changed;

        Calls(AdmissionRequest request) {
            this.request = request;
            hooks = calls.hooks(request);
        }

        @Override
        public JsonObject mutate(JsonObject object, boolean again) {
            if (again && !object.equals(current)) {
                states.changed();
            }
            current = object;
            for (Webhook hook : hooks) {
                if (!again || states.isOutdated(hook)) {
                    call(hook);
                }
            }
            return current;
        }

        @Override
        public boolean requiresAnother() {
            return changed;
        }

        private void call(Webhook hook) {
            JsonObject shown = MutableView.of(request, current);
            ResourceStore matched = calls.match(hook, request, shown);
            if (matched == null) {
                return;
            }
            JsonObject response = calls.call(hook, request, matched, shown);
            String patch = response == null ? "" : response.string("patch");
            JsonObject patched = patched(request, matched, shown, patch);
            if (patched != null && !patched.equals(shown)) {
                current = MutableView.completed(request, current, patched);
                changed = true;
                states.changed();
            }
            if (hook.isReinvoked()) {
                states.saw(hook);
            }
        }
    }

    /**
     * Returns the object after a patch; null if there is none.
     *
     * @param matched the resource in the version that the webhook receives
     */
    private @Nullable JsonObject patched(
            AdmissionRequest request, ResourceStore matched, JsonObject object, String patch) {
        if (patch.isEmpty()) {
            return null;
        }
        try {
            byte[] operations = Base64.getDecoder().decode(patch);
            JsonObject form = MutableView.in(backend, matched, request, object);
            JsonObject result = Patches.apply(Patch.Type.JSON, MergeSchema.NONE, form, operations);
            return MutableView.from(matched, request, object, result);
        } catch (PatchException | DecodeException | IllegalArgumentException e) {
            throw StatusException.internalError(String.valueOf(e.getMessage()));
        }
    }
}
