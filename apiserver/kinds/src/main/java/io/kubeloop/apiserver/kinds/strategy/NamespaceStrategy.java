/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The strategy of Namespaces: {@code spec.finalizers} keep a namespace until its content is gone (upstream: {@code
 * pkg/registry/core/namespace}).
 */
final class NamespaceStrategy extends KindStrategy {

    private static final Set<String> UNDELETABLE = Set.of("default", "kube-system", "kube-public");

    NamespaceStrategy() {
        super(KindStrategy.of("core.v1.Namespace")
                .with(Trait.STATUS)
                .updates(UpdateStep.METADATA, UpdateStep.OBJECT, UpdateStep.METADATA_CHANGE, UpdateStep.CHANGE)
                .names(Names::dns1123Label)
                .with(Trait.RETURNS_DELETED_OBJECT)
                .selectable("status.phase"));
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        JsonObject spec = object.object("spec");
        List<String> finalizers = finalizers(object);
        if (!finalizers.contains(Meta.CONTENT_FINALIZER)) {
            List<JsonString> all =
                    new ArrayList<>(finalizers.stream().map(JsonString::new).toList());
            all.add(new JsonString(Meta.CONTENT_FINALIZER));
            spec = spec.with("finalizers", JsonArray.of(all));
        }
        return super.prepareForCreate(object.with("spec", spec));
    }

    /** The finalizers of the spec can be changed only through the {@code finalize} subresource. */
    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return switch (part) {
            case MAIN, BINDING, EPHEMERAL_CONTAINERS, RESIZE, APPROVAL ->
                object.with("spec", Members.take(object.object("spec"), "finalizers", old.object("spec")))
                        .with("status", old.object("status"));
            case STATUS -> super.prepareForUpdate(object, old, part);
            case FINALIZE -> object.with("status", old.object("status"));
        };
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        finalizers(object).forEach(finalizer -> MetaValidation.finalizer("spec.finalizers", finalizer, errors));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        List<String> finalizers = finalizers(object);
        for (int i = 0; part == Part.FINALIZE && i < finalizers.size(); i++) {
            MetaValidation.finalizer("spec.finalizers[" + i + "]", finalizers.get(i), errors);
        }
        if (part == Part.STATUS) {
            boolean deleting = Meta.isDeleting(object);
            String phase = deleting ? "Terminating" : "Active";
            if (!object.string("status", "phase").equals(phase)) {
                errors.invalid(
                        "status.Phase",
                        object.string("status", "phase"),
                        "may only be '" + phase + "' if `deletionTimestamp` is " + (deleting ? "not empty" : "empty"));
            }
        }
    }

    private static List<String> finalizers(JsonObject object) {
        return object.array("spec", "finalizers").strings().toList();
    }

    @Override
    public String failedPrecondition() {
        return "Precondition failed";
    }

    @Override
    public boolean isHeld(JsonObject object) {
        return !object.array("spec", "finalizers").isEmpty();
    }

    @Override
    public JsonObject terminating(JsonObject object) {
        JsonObject status = object.object("status").with("phase", "Terminating");
        return Meta.without(object, "deletionGracePeriodSeconds").with("status", status);
    }

    @Override
    public void checkDelete(ServedResource resource, JsonObject object) {
        if (UNDELETABLE.contains(Meta.name(object))) {
            throw StatusException.forbidden(resource, Meta.name(object), "this namespace may not be deleted");
        }
    }
}
