/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A record without a JSON form is rejected with the name of the record, the component and the reason. */
class RecordShapeTest {

    record NoUnknownFields(String name) {}

    record TwoUnknownFields(UnknownFields a, UnknownFields b) {}

    record Fraction(double ratio, UnknownFields unknownFields) {}

    record Raw(@SuppressWarnings("rawtypes") List names, UnknownFields unknownFields) {}

    record Numbers(List<Long> numbers, UnknownFields unknownFields) {}

    record IntKeys(Map<Integer, String> names, UnknownFields unknownFields) {}

    record Generic<T>(T value, UnknownFields unknownFields) {}

    record Twice(String name, @JsonMember(name = "name") String other, UnknownFields unknownFields) {}

    record Endless(Endless next, UnknownFields unknownFields) {}

    record Outer(Inner inner, UnknownFields unknownFields) {}

    record Inner(List<Fraction> fractions, UnknownFields unknownFields) {}

    record Strict(String name, UnknownFields unknownFields) {
        Strict {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("name is empty");
            }
        }
    }

    record NoMetadata(String name, UnknownFields unknownFields) implements KubeObject {
        @Override
        public ObjectMeta metadata() {
            return ObjectMeta.EMPTY;
        }

        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            return this;
        }
    }

    static List<Arguments> rejected() {
        return List.of(
                Arguments.of(String.class, "java.lang.String: it is not a record"),
                Arguments.of(Generic.class, "type parameters"),
                Arguments.of(NoUnknownFields.class, "add \"UnknownFields unknownFields\""),
                Arguments.of(TwoUnknownFields.class, "two components of type UnknownFields"),
                Arguments.of(Fraction.class, "component ratio has the type double; supported are String, int,"),
                Arguments.of(Raw.class, "component names has the type java.util.List; supported"),
                Arguments.of(Numbers.class, "component numbers has the type java.util.List<java.lang.Long>"),
                Arguments.of(IntKeys.class, "component names has the type java.util.Map<java.lang.Integer"),
                Arguments.of(Twice.class, "\"name\" is listed twice"),
                Arguments.of(Endless.class, "it always contains itself; annotate"),
                Arguments.of(Outer.class, "Fraction: component ratio"),
                Arguments.of(Strict.class, "Strict: its constructor rejects absent members: name is empty"),
                Arguments.of(NoMetadata.class, "\"ObjectMeta metadata\""));
    }

    @ParameterizedTest
    @MethodSource
    void rejected(Class<?> type, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordAdapter.check(type))
                .withMessageStartingWith("Cannot derive the JSON form of ")
                .withMessageContaining(reason);
    }

    record Chain(@Nullable Chain next, Link link, UnknownFields unknownFields) {}

    record Link(List<Chain> chains, Map<String, Link> links, UnknownFields unknownFields) {}

    @Test
    void check_recursionThroughNullsAndCollections_passes() {
        RecordAdapter.check(Chain.class);

        assertThat(RecordAdapter.of(Chain.class).zero().link().chains()).isEmpty();
    }

    @Test
    void names_moreThan64_areRejected() {
        List<String> names = IntStream.range(0, 65).mapToObj(i -> "n" + i).collect(Collectors.toList());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MemberNames(names, 0))
                .withMessageContaining("at most 64 members, got 65");
    }
}
