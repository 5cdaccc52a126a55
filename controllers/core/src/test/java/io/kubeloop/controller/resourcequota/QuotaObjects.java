/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** Makes the objects of tests from their JSON. */
final class QuotaObjects {

    private QuotaObjects() {}

    static <T extends KubeObject> T object(ResourceType<T> type, String json) {
        return JsonCodec.standard().decode(type, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a quota of the namespace {@code n} with a spec and a status. */
    static GenericObject quota(String name, String version, String spec, String status) {
        return object(Trees.QUOTAS, """
                {"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"%s","namespace":"n","uid":"%s",
                 "resourceVersion":"%s"},"spec":{"hard":{%s}},"status":{%s}\
                }""".formatted(name, name, version, spec, status));
    }

    /** Returns a pod of the namespace {@code n} with a processor request. */
    static Pod pod(String name, String version, String metadata, String spec, String status) {
        return object(ResourceTypes.PODS, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"n","uid":"%s",\
                "resourceVersion":"%s"%s},
                 "spec":{%s"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"100m"}}}]},
                 "status":{"phase":"Running"%s}}""".formatted(name, name, version, metadata, spec, status));
    }
}
