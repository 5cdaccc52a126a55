/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSelectorTest {

    private static ObjectMeta uid(String uid) {
        return ObjectMetaBuilder.builder(ObjectMeta.named("n", "a")).uid(uid).build();
    }

    /** The hashes are published test vectors of the 64-bit FNV-1a function. */
    @ParameterizedTest
    @CsvSource({"'', cbf29ce484222325", "a, af63dc4c8601ec8c", "foobar, 85944171f73967e8"})
    void matches_theHashOfTheUid_upToTheBorder(String uid, String hash) {
        String range = "shardRange(object.metadata.uid, '0x%s', '0x%s')";
        assertThat(ShardSelector.parse(String.format(range, hash, "10000000000000000"))
                        .matches(uid(uid)))
                .isTrue();
        assertThat(ShardSelector.parse(String.format(range, "0", hash)).matches(uid(uid)))
                .isFalse();
    }

    @Test
    void matches_theNamespace() {
        ObjectMeta inA = ObjectMeta.named("a", "x");
        assertThat(ShardSelector.parse(
                                "shardRange(object.metadata.namespace,'0xaf63dc4c8601ec8c','0xaf63dc4c8601ec8d')")
                        .matches(inA))
                .isTrue();
    }

    @Test
    void shards_containEachObjectOnce_andAreOfSimilarSize() {
        int[] sizes = new int[3];
        for (int i = 0; i < 3_000; i++) {
            ObjectMeta object = uid(new UUID(i, 31L * i).toString());
            int[] found = IntStream.range(0, 3)
                    .filter(shard -> ShardSelector.of(shard, 3).matches(object))
                    .toArray();
            assertThat(found).hasSize(1);
            sizes[found[0]]++;
        }
        assertThat(IntStream.of(sizes).min().getAsInt()).isGreaterThan(800);
    }

    @Test
    void text_isReadBack() {
        ShardSelector half = ShardSelector.of(1, 2);
        assertThat(half).hasToString("shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')");
        ShardSelector two = ShardSelector.parse(half + " || shardRange(object.metadata.namespace, \"0x0\", \"0xF\")");
        assertThat(ShardSelector.parse(two.toString())).isEqualTo(two);
        assertThat(two.ranges()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "shardRange(object.metadata.name, '0x0', '0x1')",
                "shardRange(object.metadata.uid, '0x1', '0x1')",
                "shardRange(object.metadata.uid, '0', '0x1')",
                "shardRange(object.metadata.uid, '0x0', '0x10000000000000001')",
                "shardRange(object.metadata.uid, '0x0', '0x1') && true"
            })
    void parse_ofOtherText_throws(String text) {
        assertThatThrownBy(() -> ShardSelector.parse(text))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("shard selector \"" + text + "\"");
    }

    @Test
    void of_aShardThatIsNotThere_throws() {
        assertThatThrownBy(() -> ShardSelector.of(2, 2)).hasMessage("there is no shard 2 of 2");
    }
}
