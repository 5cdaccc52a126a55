/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
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
    void without_keepsTheBits() {
        UnknownFields rest = fields("\"a\":1,\"x\":2,\"b\":3", 5, 9).without("x");
        assertThat(rest).hasToString("{\"a\":1,\"b\":3}");
        assertThat(rest.nulls()).isEqualTo(5);
        assertThat(rest.empties()).isEqualTo(9);
        assertThat(fields("\"x\":2", 1, 0).without("x").nulls()).isEqualTo(1);
    }

    @Test
    void near_isTheSameMembersInLessMemory() {
        Random random = new Random(32);
        for (int round = 0; round < 2_000; round++) {
            byte[] base = new byte[random.nextInt(600)];
            random.nextBytes(base);
            byte[] members = base.clone();
            for (int change = random.nextInt(6); change > 0 && base.length > 0; change--) {
                members[random.nextInt(members.length)] = (byte) random.nextInt();
            }
            UnknownFields whole = UnknownFields.of(members, 1, 2);
            UnknownFields shared = UnknownFields.near(
                    UnknownFields.of(base, 3, 4), Arrays.copyOf(members, members.length + 3), members.length, 99, 1, 2);

            assertThat(shared).isEqualTo(whole).hasSameHashCodeAs(whole);
            assertThat(whole).isEqualTo(shared);
            byte[] copy = new byte[members.length + 2];
            shared.copyTo(copy, 1);
            assertThat(Arrays.copyOfRange(copy, 1, members.length + 1)).isEqualTo(members);
        }
    }

    @Test
    void near_ofFieldsThatDifferTooMuch_isNone() {
        UnknownFields base = UnknownFields.ofMembers("\"a\":\"0123456789\"");
        byte[] other = "\"a\":\"9876543210\"".getBytes(StandardCharsets.UTF_8);
        assertThat(UnknownFields.near(base, other, other.length, 11, 0, 0)).isNull();
        assertThat(UnknownFields.near(base, other, other.length, 12, 0, 0)).hasToString("{\"a\":\"9876543210\"}");
        assertThat(UnknownFields.near(base, other, other.length - 1, 12, 0, 0)).isNull();
    }

    @Test
    void near_ofOneBase_differsIfTheMembersDo() {
        UnknownFields base = UnknownFields.ofMembers("\"a\":\"0123456789\"");
        UnknownFields one = near(base, "\"a\":\"0123x56789\"");
        assertThat(one).isEqualTo(near(base, "\"a\":\"0123x56789\"")).isNotEqualTo(near(base, "\"a\":\"0123y56789\""));
        assertThat(one).isNotEqualTo(base);
        assertThat(base).isNotEqualTo(one);
        assertThat(one.without("a")).isSameAs(UnknownFields.NONE);
    }

    private static UnknownFields near(UnknownFields base, String members) {
        byte[] bytes = members.getBytes(StandardCharsets.UTF_8);
        return UnknownFields.near(base, bytes, bytes.length, 9, 0, 0);
    }

    private static UnknownFields fields(String members, long nulls, long empties) {
        return UnknownFields.of(members.getBytes(StandardCharsets.UTF_8), nulls, empties);
    }

    @Test
    void json_isAnObjectOfTheRawMembers() {
        assertThat(UnknownFields.ofMembers("\"a\":1.10,\"b\":{}").json()).isEqualTo("{\"a\":1.10,\"b\":{}}");
        assertThat(UnknownFields.NONE.json()).isEqualTo("{}");
    }
}
