/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StringPoolTest {

    private final StringPool pool = new StringPool();

    private String get(String text) {
        byte[] bytes = ("<" + text + ">--------").getBytes(StandardCharsets.US_ASCII);
        return pool.get(bytes, 1, 1 + text.length());
    }

    @Test
    void get_sameText_isSameString() {
        for (int length = 0; length <= 128; length++) {
            String text = "x".repeat(length);
            assertThat(get(text)).isEqualTo(text).isSameAs(get(text));
        }
    }

    @Test
    void get_longText_isNotKept() {
        String text = "x".repeat(129);
        assertThat(get(text)).isEqualTo(text).isNotSameAs(get(text));
    }

    @Test
    void get_moreTextsThanPlaces_staysRight() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(get("name-" + i)).isEqualTo("name-" + i);
        }
    }

    @Test
    void get_aFewThousandTexts_keepsNearlyAll() {
        Set<String> identities = Collections.newSetFromMap(new IdentityHashMap<>());
        int texts = 4000;
        for (int i = 0; i < texts; i++) {
            identities.add(get("node-" + i));
        }
        for (int i = 0; i < texts; i++) {
            identities.add(get("node-" + i));
        }
        assertThat(identities).hasSizeLessThan(texts + 100);
    }
}
