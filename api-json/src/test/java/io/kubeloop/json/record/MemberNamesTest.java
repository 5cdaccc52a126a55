/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemberNamesTest {

    private static int find(MemberNames names, String name) {
        byte[] text = ("{\"" + name + "\":12345678").getBytes(StandardCharsets.UTF_8);
        int guess = text.length % 65;
        return names.find(text, 2, text.length - 10, guess);
    }

    @Test
    void find_randomNames_areFoundAndOthersAreNot() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<String> all = new ArrayList<>();
            for (int i = random.nextInt(65); i > 0; i--) {
                all.add("n" + i + "x".repeat(random.nextInt(20)) + (char) ('a' + random.nextInt(26)));
            }
            MemberNames names = new MemberNames(all, 0);
            for (String name : all) {
                assertThat(find(names, name)).isEqualTo(all.indexOf(name));
                assertThat(find(names, name + "s")).isEqualTo(-1);
                assertThat(find(names, name.substring(1))).isEqualTo(-1);
            }
            assertThat(find(names, "")).isEqualTo(-1);
        }
    }

    @Test
    void find_namesThatDifferInTheMiddle_areToldApart() {
        MemberNames names = new MemberNames(List.of("abcdefgh1ijklmnop", "abcdefgh2ijklmnop"), 0);

        assertThat(find(names, "abcdefgh1ijklmnop")).isZero();
        assertThat(find(names, "abcdefgh2ijklmnop")).isEqualTo(1);
        assertThat(find(names, "abcdefgh3ijklmnop")).isEqualTo(-1);
    }

    @Test
    void new_badLists_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MemberNames(List.of("a", "b", "a"), 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MemberNames(Collections.nCopies(65, "a"), 0));
    }
}
