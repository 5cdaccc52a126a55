/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls admission plug-ins in order, as if they were one. Immutable; thread-safe. */
public final class AdmissionChain implements AdmissionPlugin {

    private final List<AdmissionPlugin> plugins;

    /** Creates a chain of these plug-ins. */
    public AdmissionChain(List<AdmissionPlugin> plugins) {
        this.plugins = List.copyOf(plugins);
    }

    /** Returns the plug-in of this class. */
    public <T extends AdmissionPlugin> Optional<T> find(Class<T> type) {
        return plugins.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** Calls all plug-ins, and once again if a change requires it. */
    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        IdentityHashMap<AdmissionPlugin, ReinvocablePlugin.Round> rounds = new IdentityHashMap<>();
        JsonObject result = mutate(request, object, rounds, false);
        return rounds.values().stream().anyMatch(ReinvocablePlugin.Round::requiresAnother)
                ? mutate(request, result, rounds, true)
                : result;
    }

    private JsonObject mutate(
            AdmissionRequest request,
            JsonObject object,
            Map<AdmissionPlugin, ReinvocablePlugin.Round> rounds,
            boolean again) {
        JsonObject result = object;
        for (AdmissionPlugin plugin : plugins) {
            result = plugin instanceof ReinvocablePlugin reinvocable
                    ? rounds.computeIfAbsent(plugin, key -> reinvocable.round(request))
                            .mutate(result, again)
                    : plugin.mutate(request, result);
        }
        return result;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        plugins.forEach(plugin -> plugin.validate(request, object));
    }

    @Override
    public void validateDelete(AdmissionRequest request, JsonObject object) {
        plugins.forEach(plugin -> plugin.validateDelete(request, object));
    }

    @Override
    public void validateConnect(AdmissionRequest request, JsonObject options) {
        plugins.forEach(plugin -> plugin.validateConnect(request, options));
    }

    @Override
    public @Nullable StoredObject store(
            AdmissionRequest request, JsonObject object, Supplier<@Nullable StoredObject> write) {
        Supplier<@Nullable StoredObject> innermost = write;
        for (int i = plugins.size() - 1; i >= 0; i--) {
            AdmissionPlugin plugin = plugins.get(i);
            Supplier<@Nullable StoredObject> inner = innermost;
            innermost = () -> plugin.store(request, object, inner);
        }
        return innermost.get();
    }
}
