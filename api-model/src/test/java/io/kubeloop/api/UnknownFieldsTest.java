package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownFieldsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"x\":1                                  | {}",
                "\"x\":1,\"b\":2                          | {\"b\":2}",
                "\"a\":1,\"x\":[{\"k\":\"}]\"},2],\"b\":3 | {\"a\":1,\"b\":3}",
                "\"a\":{\"x\":1},\"x\":null               | {\"a\":{\"x\":1}}",
                "\"a\":\"\\\",\\\"x\\\":1\",\"x\":\"\\\\\"| {\"a\":\"\\\",\\\"x\\\":1\"}",
                "\"a\": [1, 2] , \"x\" : {} , \"b\" : 1.50| {\"a\": [1, 2] , \"b\" : 1.50}",
            })
    void without_aMember_leavesTheOthersToTheLetter(String members, String expected) {
        assertThat(UnknownFields.ofMembers(members).without("x")).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"y\":1",
                "\"a\":{\"x\":1},\"xx\":2,\"X\":3",
                "\"a\":\"x\",\"b\":[\"x\",{\"x\":\"x\"}]",
            })
    void without_aMemberThatIsNotThere_isTheSameInstance(String members) {
        UnknownFields fields = UnknownFields.ofMembers(members);
        assertThat(fields.without("x")).isSameAs(fields);
    }

    @Test
    void without_onNothing_isNothing() {
        assertThat(UnknownFields.NONE.without("x")).isSameAs(UnknownFields.NONE);
    }

    @Test
    void without_onASlice_keepsTheBitsAndNotTheArray() {
        byte[] shared = "{\"a\":1,\"x\":2,\"b\":3}".getBytes(StandardCharsets.UTF_8);
        UnknownFields rest =
                UnknownFields.of(shared, 1, shared.length - 2, 5, 9).without("x");
        assertThat(rest).hasToString("{\"a\":1,\"b\":3}");
        assertThat(rest.nulls()).isEqualTo(5);
        assertThat(rest.empties()).isEqualTo(9);
        assertThat(rest.array()).hasSize(rest.length());
        assertThat(UnknownFields.of("\"x\":2".getBytes(StandardCharsets.UTF_8), 0, 5, 1, 0)
                        .without("x")
                        .nulls())
                .isEqualTo(1);
    }

    @Test
    void json_isAnObjectOfTheRawMembers() {
        assertThat(UnknownFields.ofMembers("\"a\":1.10,\"b\":{}").json()).isEqualTo("{\"a\":1.10,\"b\":{}}");
        assertThat(UnknownFields.NONE.json()).isEqualTo("{}");
    }
}
