/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.StructSchema.PatchStrategy;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.ListType;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeCatalogTest {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();

    private static StructSchema named(String name) {
        return Objects.requireNonNull(CATALOG.named(name), name);
    }

    private static Field field(String type, String name) {
        return Objects.requireNonNull(named(type).field(name), type + "." + name);
    }

    @Test
    void everyType_hasFieldsWhoseTypesAreDefined() {
        int fields = 0;
        for (String name : CATALOG.names()) {
            StructSchema type = named(name);
            assertThat(type.name()).isEqualTo(name);
            for (Map.Entry<String, Field> field : type.fields().entrySet()) {
                assertThat(field.getValue().name()).isEqualTo(field.getKey());
                assertThat(GoTypes.name(field.getValue()))
                        .as(name + "." + field.getKey())
                        .isNotEmpty();
                fields++;
            }
        }
        assertThat(CATALOG.names().size()).isGreaterThan(580);
        assertThat(CATALOG.names()).contains("core.v1.PodSpec", "meta.v1.Table");
        assertThat(fields).isGreaterThan(2_400);
    }

    @Test
    void everyResource_hasTypesForItsKindItsListAndItsSubresources() {
        assertThat(CATALOG.resources().size()).isEqualTo(72);
        for (ApiResource resource : CATALOG.resources()) {
            assertThat(CATALOG.type(resource.group(), resource.version(), resource.kind()))
                    .as(resource.plural())
                    .isNotNull();
            if (resource.verbs().contains("list")) {
                assertThat(CATALOG.type(resource.apiVersion(), resource.kind() + "List"))
                        .isNotNull();
                assertThat(resource.columns()).as(resource.plural()).isNotEmpty();
            }
            for (ApiResource.Subresource subresource : resource.subresources()) {
                assertThat(CATALOG.type(subresource.group(), subresource.version(), subresource.kind()))
                        .as(resource.plural() + "/" + subresource.name())
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "v1, Status, meta.v1.Status",
        "v1, APIGroupList, meta.v1.APIGroupList",
        "v1, APIResourceList, meta.v1.APIResourceList",
        "v1, List, core.v1.List",
        "v1, Binding, core.v1.Binding",
        "meta.k8s.io/v1, Table, meta.v1.Table",
        "meta.k8s.io/v1, PartialObjectMetadataList, meta.v1.PartialObjectMetadataList",
        "apidiscovery.k8s.io/v2, APIGroupDiscoveryList, apidiscovery.v2.APIGroupDiscoveryList",
        "autoscaling/v1, Scale, autoscaling.v1.Scale",
        "policy/v1, Eviction, policy.v1.Eviction",
        "authentication.k8s.io/v1, TokenRequest, authentication.v1.TokenRequest",
        "authorization.k8s.io/v1, SelfSubjectAccessReview, authorization.v1.SelfSubjectAccessReview",
        "apiextensions.k8s.io/v1, CustomResourceDefinition, apiextensions.v1.CustomResourceDefinition",
        "apiregistration.k8s.io/v1, APIService, apiregistration.v1.APIService",
        "v1, DeleteOptions, meta.v1.DeleteOptions",
        "example.com/v7, PatchOptions, meta.v1.PatchOptions",
    })
    void kinds_ofRequestsAndOfTheirAnswers_haveTypes(String apiVersion, String kind, String type) {
        assertThat(CATALOG.type(apiVersion, kind)).isSameAs(named(type));
    }

    @Test
    void unknownKinds_haveNone() {
        assertThat(CATALOG.type("v2", "Pod")).isNull();
        assertThat(CATALOG.type("apps/v1", "Pod")).isNull();
        assertThat(CATALOG.named("core.v1.Protocol")).isNull();
        assertThat(CATALOG.named("core.v1.Nothing")).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> CATALOG.openApiName("no.such.Type"));
    }

    @Test
    void list_withKeysAndPatchStrategy() {
        Field ports = field("core.v1.ServiceSpec", "ports");
        assertThat(ports.type())
                .isEqualTo(new ListOf(named("core.v1.ServicePort"), ListType.MAP, List.of("port", "protocol")));
        assertThat(ports.patch()).isEqualTo(new PatchStrategy(List.of("merge"), "port"));
        Field volumes = field("core.v1.PodSpec", "volumes");
        assertThat(volumes.patch()).isEqualTo(new PatchStrategy(List.of("merge", "retainKeys"), "name"));
        assertThat(field("meta.v1.ObjectMeta", "finalizers").type())
                .isEqualTo(new ListOf(Scalar.STRING, ListType.SET, List.of()));
        assertThat(field("core.v1.Container", "args").type())
                .isEqualTo(new ListOf(Scalar.STRING, ListType.ATOMIC, List.of()));
        assertThat(((ListOf) field("core.v1.PodList", "items").type()).declared())
                .isFalse();
    }

    @Test
    void defaults_declaredAndZero() {
        Field protocol = field("core.v1.ServicePort", "protocol");
        assertThat(protocol.initial()).isEqualTo(new JsonString("TCP"));
        assertThat(protocol.allowed()).containsExactly("SCTP", "TCP", "UDP");
        assertThat(GoTypes.name(protocol)).isEqualTo("v1.Protocol");
        Field port = field("core.v1.ServicePort", "port");
        assertThat(port.required()).isTrue();
        assertThat(port.initial()).isEqualTo(JsonNumber.of(0));
        assertThat(port.go().path()).containsExactly(3);
        assertThat(field("core.v1.Pod", "spec").initial()).isEqualTo(JsonObject.EMPTY);
        assertThat(field("core.v1.PodSpec", "hostname").initial()).isNull();
    }

    @Test
    void maps_andAtomicStructs() {
        assertThat(field("core.v1.ServiceSpec", "selector").type()).isEqualTo(new MapOf(Scalar.STRING, true));
        Field limits = field("core.v1.ResourceRequirements", "limits");
        assertThat(limits.type()).isEqualTo(new MapOf(Scalar.QUANTITY, false));
        assertThat(GoTypes.name(limits)).isEqualTo("v1.ResourceList");
        assertThat(GoTypes.name(field("core.v1.PersistentVolumeClaimStatus", "allocatedResourceStatuses")))
                .isEqualTo("map[v1.ResourceName]v1.ClaimResourceStatus");
        assertThat(named("core.v1.ObjectReference").atomic()).isTrue();
        StructSchema claim =
                (StructSchema) field("core.v1.PersistentVolumeSpec", "claimRef").type();
        assertThat(claim.atomic()).isFalse();
        assertThat(claim.fields()).isSameAs(named("core.v1.ObjectReference").fields());
        Field extra = field("authentication.v1.UserInfo", "extra");
        assertThat(extra.go().wrapped()).isTrue();
        assertThat(GoTypes.name(extra)).isEqualTo("map[string]v1.ExtraValue");
    }

    @Test
    void inlinedMessages_arePartOfThePath() {
        assertThat(field("core.v1.Volume", "name").go().path()).containsExactly(1);
        assertThat(field("core.v1.Volume", "emptyDir").go().path()).containsExactly(2, 2);
        assertThat(field("admissionregistration.v1.NamedRuleWithOperations", "apiGroups")
                        .go()
                        .path())
                .containsExactly(2, 2, 1);
        assertThat(field("core.v1.Pod", "kind").go().path()).isEmpty();
        assertThat(field("meta.v1.ObjectMeta", "creationTimestamp").go().omitsZero())
                .isTrue();
    }

    @Test
    void openApi_namesAndExtensions() {
        assertThat(CATALOG.openApiName("core.v1.Pod")).isEqualTo("io.k8s.api.core.v1.Pod");
        assertThat(CATALOG.openApiName("meta.v1.Status")).isEqualTo("io.k8s.apimachinery.pkg.apis.meta.v1.Status");
        assertThat(CATALOG.extensions("core.v1.SeccompProfile").has("x-kubernetes-unions"))
                .isTrue();
        assertThat(CATALOG.extensions("core.v1.Pod")).isEqualTo(JsonObject.EMPTY);
        assertThat(CATALOG.groupVersions()).contains("v1", "apps/v1", "apps/v1beta2");
    }

    @Test
    void resources_asDiscoveryListsThem() {
        Map<String, ApiResource> byName = new HashMap<>();
        CATALOG.resources().forEach(resource -> byName.put(resource.apiVersion() + "/" + resource.plural(), resource));
        ApiResource deployments = Objects.requireNonNull(byName.get("apps/v1/deployments"));
        assertThat(deployments.singular()).isEqualTo("deployment");
        assertThat(deployments.shortNames()).containsExactly("deploy");
        assertThat(deployments.categories()).containsExactly("all");
        assertThat(deployments.namespaced()).isTrue();
        assertThat(deployments.storageVersionHash()).isEqualTo("8aSe+NMegvE=");
        assertThat(deployments.verbs()).contains("deletecollection", "watch");
        ApiResource.@Nullable Subresource scale = deployments.subresource("scale");
        assertThat(scale)
                .isEqualTo(new ApiResource.Subresource(
                        "scale", "autoscaling", "v1", "Scale", List.of("get", "patch", "update")));
        assertThat(deployments.subresource("eviction")).isNull();
        assertThat(deployments.columns().get(0)).isEqualTo(new ApiResource.Column("Name", "string", "name", 0));
        assertThat(CATALOG.resources().get(0).plural()).isEqualTo("bindings");
    }

    @Test
    void threads_thatReadAtTheSameTime_shareTheTypes() throws Exception {
        TypeText text = TypeText.read("kubernetes.types");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Map<String, Field>>>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(() -> text.names().stream()
                        .map(name -> Objects.requireNonNull(text.named(name)).fields())
                        .toList()));
            }
            List<Map<String, Field>> first = results.get(0).get();
            for (Future<List<Map<String, Field>>> result : results) {
                for (int i = 0; i < first.size(); i++) {
                    assertThat(result.get().get(i)).isSameAs(first.get(i));
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
