/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.command.CommandOption;
import io.kubeloop.command.OptionValues;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;

/** Renders the effective configuration for {@code /configz}, in the shape of kube-controller-manager's. */
final class Configz {

    private static final String GROUP = "kubecontrollermanager.config.k8s.io";

    private Configz() {}

    static byte[] json(OptionValues values) {
        JsonObject config = JsonObject.EMPTY
                .with("kind", "KubeControllerManagerConfiguration")
                .with("apiVersion", GROUP + "/v1alpha1")
                .with("DeprecatedController", JsonObject.EMPTY);
        for (CommandOption option : values.table().options()) {
            if (!option.configz().isEmpty()) {
                JsonValue value = option.type().json(values.get(option.name()));
                config = with(config, option.configz(), value);
            }
        }
        return JsonObject.of(GROUP, config).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject with(JsonObject parent, String path, JsonValue value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return parent.with(path, value);
        }
        String name = path.substring(0, dot);
        return parent.with(name, with(parent.object(name), path.substring(dot + 1), value));
    }
}
