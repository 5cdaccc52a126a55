/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.kinds.quota.LimitRangeRules;
import io.kubeloop.apiserver.kinds.quota.QuotaRules;
import io.kubeloop.apiserver.kinds.validation.DataRules;
import io.kubeloop.apiserver.kinds.validation.EventRules;
import io.kubeloop.apiserver.kinds.validation.PodSpecRules;
import io.kubeloop.apiserver.kinds.warnings.DataWarnings;
import io.kubeloop.apiserver.kinds.warnings.WorkloadWarnings;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;

/** The kinds of the core group that need no class (upstream: {@code pkg/registry/core}). */
final class CoreKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "configmaps",
            KindStrategy.of("core.v1.ConfigMap")
                    .updates(METADATA_CHANGE, CHANGE, METADATA, OBJECT)
                    .check(DataRules::configMap)
                    .checkUpdate(DataRules::configMapUpdate),
            "secrets",
            KindStrategy.of("core.v1.Secret")
                    .updates(METADATA_CHANGE, CHANGE, METADATA, OBJECT)
                    .selectable("type")
                    .warnings((secret, old, part) -> DataWarnings.secret(secret))
                    .check(DataRules::secret)
                    .checkUpdate(DataRules::secretUpdate),
            "podtemplates",
            KindStrategy.of("core.v1.PodTemplate")
                    .generationOf("template")
                    .with(Trait.RETURNS_DELETED_OBJECT)
                    .warnings(WorkloadWarnings.ofTemplate(false, "template")::warnings)
                    .check(template -> PodSpecRules.template(template.at("template"))),
            "limitranges",
            KindStrategy.of("core.v1.LimitRange")
                    .with(Trait.CREATES_ON_UPDATE)
                    .updates(METADATA, OBJECT)
                    .onCreate(CoreKinds::withName)
                    .check(LimitRangeRules::range),
            "resourcequotas",
            KindStrategy.of("core.v1.ResourceQuota")
                    .with(Trait.STATUS, Trait.RETURNS_DELETED_OBJECT)
                    .check(QuotaRules::quota)
                    .checkUpdate(QuotaRules::update),
            "events",
            events(KindStrategy.of("core.v1.Event")
                    .names(Names::pathSegment)
                    .with(Trait.PLAIN_FINALIZERS)
                    .updates(OBJECT)
                    .with(Trait.CREATES_ON_UPDATE)
                    .check(EventRules::event)),
            "events.events.k8s.io", // stored in the form of the core group
            events(KindStrategy.of("core.v1.Event")
                    .with(Trait.CREATES_ON_UPDATE)
                    .check(EventRules::newer)
                    .checkCreate(EventRules::newerEvent)
                    .checkUpdate(EventRules::newerUpdate)),
            "serviceaccounts",
            KindStrategy.of("core.v1.ServiceAccount")
                    .onCreate(CoreKinds::withNamesOfSecrets)
                    .onUpdate((account, old, part) -> withNamesOfSecrets(account))
                    .warnings(DataWarnings::account)
                    .updates(METADATA_CHANGE, METADATA, OBJECT)
                    .with(Trait.RETURNS_DELETED_OBJECT));

    private CoreKinds() {}

    /** An account keeps the names of its secrets, and nothing else of the references. */
    private static JsonObject withNamesOfSecrets(JsonObject account) {
        JsonArray secrets = account.array("secrets");
        return secrets.isEmpty()
                ? account
                : account.with(
                        "secrets",
                        JsonArray.of(secrets.objects()
                                .map(secret -> secret.string("name").isEmpty()
                                        ? JsonObject.EMPTY
                                        : JsonObject.EMPTY.with("name", secret.string("name")))
                                .toList()));
    }

    /**
     * For other kinds, a create without a name fails. Upstream accepts it here and stores a generated UID as the name.
     */
    private static JsonObject withName(JsonObject range) {
        return Meta.name(range).isEmpty() ? Meta.with(range, "name", Meta.text(range, "uid")) : range;
    }

    private static KindStrategy.Entry events(KindStrategy.Entry entry) {
        return entry.with(Trait.IGNORES_DEPENDENTS)
                .selectable(
                        "involvedObject.kind",
                        "involvedObject.namespace",
                        "involvedObject.name",
                        "involvedObject.uid",
                        "involvedObject.apiVersion",
                        "involvedObject.resourceVersion",
                        "involvedObject.fieldPath",
                        "reason",
                        "reportingComponent",
                        "type")
                .selectable("source", CoreKinds::source);
    }

    private static String source(JsonObject event) {
        String source = event.string("source", "component");
        return source.isEmpty() ? event.string("reportingComponent") : source;
    }
}
