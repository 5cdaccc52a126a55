/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A native image reflects only on types that the metadata names. Every record that the standard codec reads must be
 * there.
 */
class BuiltInRecordsTest {

    private static final String METADATA =
            "/META-INF/native-image/io.kubeloop/kubeloop-api-json/reachability-metadata.json";

    @Test
    void metadata_namesEveryRecordOfTheStandardCodec() throws IOException {
        Set<String> records = new TreeSet<>();
        ResourceTypes.all().forEach(type -> add(type.objectClass(), records));
        for (Class<?> type : Set.of(GenericObject.class, PartialObjectMetadata.class, Status.class, ListMeta.class)) {
            add(type, records);
        }
        try (InputStream in = BuiltInRecordsTest.class.getResourceAsStream(METADATA)) {
            JsonObject metadata = JsonObject.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            assertThat(metadata.array("reflection").objects())
                    .extracting(entry -> entry.string("type"))
                    .containsExactlyElementsOf(records);
            assertThat(metadata.array("reflection").objects())
                    .allMatch(entry -> entry.bool("allDeclaredConstructors") && entry.bool("allDeclaredMethods"));
        }
    }

    /**
     * An absent number or boolean of a built-in kind equals 0 or false, so objects keep their form. Where the two
     * differ, Go has a pointer, and the component must be boxed or nullable.
     */
    @Test
    void zeros_ofComponentsThatCannotBeAbsent_areOmittedAndMeanAbsence() {
        Set<Class<?>> seen = new HashSet<>();
        ResourceTypes.all()
                .forEach(type -> checkZeros(
                        type.objectClass(),
                        TypeCatalog.kubernetes().type(type.group(), type.version(), type.kind()),
                        seen));
        assertThat(seen).hasSizeGreaterThan(60);
    }

    private static void checkZeros(Class<?> type, @Nullable TypeSchema schema, Set<Class<?>> seen) {
        if (!seen.add(type)) {
            return;
        }
        assertThat(schema).as(type.getName()).isInstanceOf(StructSchema.class);
        for (RecordComponent component : type.getRecordComponents()) {
            Class<?> value = component.getType();
            StructSchema.Field field = ((StructSchema) schema).field(MemberTypes.name(component));
            if (value.isPrimitive() || (value == IntOrString.class && !MemberTypes.isNullable(component))) {
                JsonMember annotation = component.getAnnotation(JsonMember.class);
                assertThat(annotation != null && annotation.omitZero())
                        .as(component + " of " + type.getName() + " omits zero")
                        .isTrue();
                assertThat(field != null && field.go().pointer()) // some kinds lack a field of a shared record
                        .as(component + " of " + type.getName() + " is a pointer in Go")
                        .isFalse();
            }
            Type inner = component.getGenericType() instanceof ParameterizedType generic
                    ? generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]
                    : value;
            if (inner instanceof Class<?> nested && MemberTypes.isNested(nested)) {
                checkZeros(nested, element(field.type()), seen);
            }
        }
    }

    private static TypeSchema element(TypeSchema type) {
        if (type instanceof TypeSchema.ListOf list) {
            return list.elements();
        }
        return type instanceof TypeSchema.MapOf map ? map.values() : type;
    }

    private static void add(Class<?> type, Set<String> records) {
        if (records.add(type.getName())) {
            new RecordShape(type).nested().forEach(nested -> add(nested.type(), records));
        }
    }
}
