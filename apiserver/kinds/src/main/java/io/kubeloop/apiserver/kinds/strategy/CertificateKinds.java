/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.kinds.validation.server.CertificateRules;
import io.kubeloop.apiserver.kinds.validation.server.PodCertificateRules;
import io.kubeloop.apiserver.kinds.validation.server.TrustBundleRules;
import io.kubeloop.apiserver.rest.RestStrategy.Origin;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kinds of certificates.k8s.io (upstream: {@code pkg/registry/certificates}). */
final class CertificateKinds {

    /** The members of a certificate signing request that describe its client. */
    private static final List<String> OF_CLIENT = List.of("username", "uid", "groups", "extra");

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "certificatesigningrequests.certificates.k8s.io",
            KindStrategy.of("certificates.v1.CertificateSigningRequest")
                    .with(Trait.STATUS)
                    .names((name, prefix) -> List.of())
                    .selectable("spec.signerName")
                    .updates(METADATA, OBJECT, CHANGE, METADATA_CHANGE)
                    .statusUpdates(METADATA, OBJECT, CHANGE, METADATA_CHANGE)
                    .onUpdate(CertificateKinds::requestUpdate)
                    .onWrite(CertificateKinds::signed)
                    .check(CertificateRules::request)
                    .checkUpdate(CertificateRules::update),
            "clustertrustbundles.certificates.k8s.io",
            KindStrategy.of("certificates.v1.ClusterTrustBundle")
                    .names((name, prefix) -> List.of()) // the rule depends on the signer
                    .selectable("spec.signerName")
                    .with(Trait.REQUIRES_VERSION_ON_UPDATE)
                    .updates(METADATA, OBJECT, METADATA_CHANGE, CHANGE)
                    .check(TrustBundleRules::bundle)
                    .checkUpdate((bundle, old, part) -> TrustBundleRules.update(bundle, old)),
            "podcertificaterequests.certificates.k8s.io",
            KindStrategy.of("certificates.v1.PodCertificateRequest")
                    .with(Trait.STATUS, Trait.KEEPS_METADATA_IN_STATUS)
                    .selectable("spec.signerName", "spec.podName", "spec.nodeName")
                    .with(Trait.REQUIRES_VERSION_ON_UPDATE)
                    .updates(METADATA_CHANGE, CHANGE)
                    .statusUpdates(METADATA_CHANGE, CHANGE)
                    .checkCreate(PodCertificateRules::request)
                    .checkUpdate(PodCertificateRules::update));

    private CertificateKinds() {}

    /** The spec of a request never changes, and the approval keeps all but the conditions. */
    private static JsonObject requestUpdate(JsonObject request, JsonObject old, Part part) {
        JsonObject kept = request.with("spec", old.object("spec"));
        if (part != Part.STATUS) {
            return kept;
        }
        List<JsonObject> conditions =
                new ArrayList<>(kept.array("status", "conditions").objects().toList());
        for (String type : List.of("Approved", "Denied")) {
            List<Integer> mine = indexes(conditions, type);
            List<JsonObject> before = old.array("status", "conditions")
                    .objects()
                    .filter(condition -> condition.string("type").equals(type))
                    .toList();
            for (int i = 0; mine.size() == before.size() && i < mine.size(); i++) {
                conditions.set(mine.get(i), before.get(i));
            }
        }
        return withConditions(kept, conditions);
    }

    private static List<Integer> indexes(List<JsonObject> conditions, String type) {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            if (conditions.get(i).string("type").equals(type)) {
                indexes.add(i);
            }
        }
        return indexes;
    }

    private static JsonObject withConditions(JsonObject request, List<JsonObject> conditions) {
        return conditions.isEmpty() ? request : request.with(List.of("status", "conditions"), JsonArray.of(conditions));
    }

    /** A new request contains its client; changed conditions contain the time. */
    private static JsonObject signed(JsonObject request, @Nullable JsonObject old, Part part, Origin origin) {
        if (old == null) {
            JsonObject spec = request.object("spec");
            for (String member : OF_CLIENT) {
                spec = spec.without(member);
            }
            for (var member : origin.user().document().members().entrySet()) {
                spec = spec.with(member.getKey(), member.getValue());
            }
            return request.with("spec", spec);
        }
        if (part == Part.MAIN) {
            return request;
        }
        List<JsonObject> before = old.array("status", "conditions").objects().toList();
        return withConditions(
                request,
                request.array("status", "conditions")
                        .objects()
                        .map(condition -> timed(condition, before, origin.now()))
                        .toList());
    }

    private static JsonObject timed(JsonObject condition, List<JsonObject> before, String now) {
        String field = "lastTransitionTime";
        JsonObject updated =
                condition.string("lastUpdateTime").isEmpty() ? condition.with("lastUpdateTime", now) : condition;
        if (!updated.string(field).isEmpty()) {
            return updated;
        }
        return updated.with(
                field,
                before.stream()
                        .filter(old -> old.string("type").equals(condition.string("type"))
                                && old.string("status").equals(condition.string("status"))
                                && !old.string(field).isEmpty())
                        .map(old -> old.string(field))
                        .findFirst()
                        .orElse(now));
    }
}
