/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.core.PodTemplateSpecBuilder;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.api.selector.LabelSelectorBuilder;
import io.kubeloop.controller.history.PodTemplateHash;
import java.util.LinkedHashMap;
import java.util.Map;

/** Pod templates with and without the label that holds their hash. Stateless. */
final class Templates {

    /** The label that distinguishes the pods of one template from those of another. */
    static final String HASH_LABEL = "pod-template-hash";

    private Templates() {}

    /**
     * Returns whether two templates make the same pods, apart from the hash label (upstream: {@code EqualIgnoreHash}).
     */
    static boolean areEqual(PodTemplateSpec one, PodTemplateSpec two) {
        return PodTemplateHash.haveSameText(withoutHash(one), withoutHash(two));
    }

    /** Returns the template without the hash label. */
    static PodTemplateSpec withoutHash(PodTemplateSpec template) {
        if (!template.metadata().labels().containsKey(HASH_LABEL)) {
            return template;
        }
        Map<String, String> labels = new LinkedHashMap<>(template.metadata().labels());
        labels.remove(HASH_LABEL);
        return withLabels(template, labels);
    }

    /** Returns the template with the hash label. */
    static PodTemplateSpec withHash(PodTemplateSpec template, String hash) {
        return withLabels(template, with(template.metadata().labels(), hash));
    }

    /** Returns a selector that also requires the hash label. */
    static LabelSelector withHash(LabelSelector selector, String hash) {
        return LabelSelectorBuilder.builder(selector)
                .matchLabels(with(selector.matchLabels(), hash))
                .build();
    }

    private static Map<String, String> with(Map<String, String> labels, String hash) {
        Map<String, String> result = new LinkedHashMap<>(labels);
        result.put(HASH_LABEL, hash);
        return result;
    }

    private static PodTemplateSpec withLabels(PodTemplateSpec template, Map<String, String> labels) {
        return PodTemplateSpecBuilder.builder(template)
                .metadata(ObjectMetaBuilder.builder(template.metadata())
                        .labels(labels)
                        .build())
                .build();
    }
}
