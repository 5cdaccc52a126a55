/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.api.value.IntOrString;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every record of the model, checked by reflection so that no new record escapes. */
class ModelRecordsTest {

    static Stream<Class<?>> records() {
        return ModelRecords.all();
    }

    /** Records of the model that are a JSON object; the others are written as one value. */
    static Stream<Class<?>> jsonObjects() {
        return records().filter(type -> type != Time.class && type != MicroTime.class && type != IntOrString.class);
    }

    @ParameterizedTest
    @MethodSource("records")
    void collections_givenOrReturned_cannotBeUsedToChangeTheRecord(Class<?> type) {
        List<Object> given = new ArrayList<>();
        Object record = ModelRecords.full(type, given);
        String before = record.toString();
        for (Object collection : given) {
            if (collection instanceof List<?> list) {
                list.clear();
            } else {
                ((Map<?, ?>) collection).clear();
            }
        }
        assertThat(record).hasToString(before);
        assertUnmodifiable(record);
    }

    private static void assertUnmodifiable(Object value) {
        if (value instanceof Collection<?> collection) {
            assertThatThrownBy(collection::clear).isInstanceOf(UnsupportedOperationException.class);
            collection.forEach(ModelRecordsTest::assertUnmodifiable);
        } else if (value instanceof Map<?, ?> map) {
            assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> map.entrySet().iterator().next().setValue(null))
                    .isInstanceOf(UnsupportedOperationException.class);
        } else if (value instanceof Record record) {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                assertUnmodifiable(ModelRecords.get(record, component));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jsonObjects")
    void unknownFields_everyJsonObject_isTheLastComponent(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        assertThat(components[components.length - 1].getName()).isEqualTo("unknownFields");
        assertThat(components[components.length - 1].getType()).isEqualTo(UnknownFields.class);
    }

    @ParameterizedTest
    @MethodSource("jsonObjects")
    void absence_nullForEverything_zeroValueUnlessMarkedNullable(Class<?> type) {
        Object empty = ModelRecords.empty(type);
        for (RecordComponent component : type.getRecordComponents()) {
            boolean nullable = component.getAccessor().getAnnotatedReturnType().isAnnotationPresent(Nullable.class);
            assertThat(ModelRecords.get(empty, component) == null)
                    .as("%s is absent and null", component)
                    .isEqualTo(nullable);
        }
    }

    @ParameterizedTest
    @MethodSource("jsonObjects")
    void builder_copyOfARecord_isEqualWithEqualHash(Class<?> type) throws ReflectiveOperationException {
        Object record = ModelRecords.full(type, new ArrayList<>());
        Object copy = copyByBuilder(type, record);
        assertThat(copy).isEqualTo(record).hasSameHashCodeAs(record).isNotSameAs(record);
        assertThat(record).isNotEqualTo(ModelRecords.empty(type));
        assertThat(record.toString()).startsWith(type.getSimpleName() + "[");
    }

    private static Object copyByBuilder(Class<?> type, Object record) throws ReflectiveOperationException {
        String nested =
                type.getName().substring(type.getPackageName().length() + 1).replace("$", "");
        Class<?> builders = Class.forName(type.getPackageName() + "." + nested + "Builder");
        Object builder = builders.getMethod("builder", type).invoke(null, record);
        Method build = builders.getMethod("build");
        return build.invoke(builder);
    }

    @Test
    void all_kinds_haveDistinctPathsAndSayTheirKind() {
        assertThat(ResourceTypes.all())
                .extracting(type -> type.collectionPath("ns"))
                .doesNotHaveDuplicates();
        assertThat(ResourceTypes.all())
                .allSatisfy(
                        type -> assertThat(type.objectClass().getSimpleName()).endsWith(type.kind()));
        assertThat(ResourceTypes.REPLICA_SETS.collectionPath("shop"))
                .isEqualTo("/apis/apps/v1/namespaces/shop/replicasets");
        assertThat(ResourceTypes.NODES.objectPath(new ObjectName("", "n1"))).isEqualTo("/api/v1/nodes/n1");
    }

    @Test
    void generic_customResource_addressedLikeAnyOther() {
        ResourceType<GenericObject> widgets =
                ResourceTypes.generic("example.com", "v1beta1", "widgets", "Widget", ResourceType.Scope.NAMESPACED);
        assertThat(widgets.collectionPath("")).isEqualTo("/apis/example.com/v1beta1/widgets");
        GenericObject widget = GenericObject.of(widgets.apiVersion(), widgets.kind(), ObjectMeta.named("shop", "a"));
        assertThat(widgets.objectPath(widget.objectName()))
                .isEqualTo("/apis/example.com/v1beta1/namespaces/shop/widgets/a");
    }

    @Test
    void with_oneChange_keepsTheRest() {
        Pod pod = (Pod) ModelRecords.full(Pod.class, new ArrayList<>());
        Pod changed = pod.withStatus(
                PodStatusBuilder.builder(pod.status()).phase(PodStatus.FAILED).build());
        assertThat(changed.isFinished()).isTrue();
        assertThat(changed.withStatus(pod.status())).isEqualTo(pod);
        assertThat(changed.unknownFields()).isEqualTo(pod.unknownFields());
    }
}
