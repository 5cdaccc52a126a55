/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DerTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000})
    void write_anyLength_isReadBack(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        byte[] inner = Der.write(Der.OCTET_STRING, content);
        Der outer = new Der(Der.write(Der.SEQUENCE, inner, Der.write(Der.NULL))).open(Der.SEQUENCE);

        assertThat(outer.readWhole()).isEqualTo(inner);
        assertThat(outer.peekTag()).isEqualTo(Der.NULL);
        outer.skip();
        assertThat(outer.hasMore()).isFalse();
        assertThat(new Der(inner).read(Der.OCTET_STRING)).isEqualTo(content);
    }

    @Test
    void write_lengths_areTheShortest() {
        assertThat(Der.write(Der.INTEGER, new byte[0x7f])).startsWith(2, 0x7f).hasSize(0x81);
        assertThat(Der.write(Der.INTEGER, new byte[0x80]))
                .startsWith(2, 0x81, 0x80)
                .hasSize(0x83);
        assertThat(Der.write(Der.INTEGER, new byte[0x100]))
                .startsWith(2, 0x82, 1, 0)
                .hasSize(0x104);
    }

    @Test
    void read_documentCutAtAnyByte_isRejected() {
        byte[] whole = Der.write(Der.SEQUENCE, Der.write(Der.INTEGER, new byte[300]));
        for (int length = 0; length < whole.length; length++) {
            Der cut = new Der(Arrays.copyOf(whole, length));
            assertThatIllegalArgumentException().isThrownBy(cut::skip).withMessage("not valid DER");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "3001", "3080", "308400000000", "30847fffffff", "3084ffffffff", "0200"})
    void open_malformedSequence_isRejected(String hex) {
        Der document = new Der(HexFormat.of().parseHex(hex));

        assertThatIllegalArgumentException().isThrownBy(() -> document.open(Der.SEQUENCE));
    }

    @Test
    void open_value_endsWithItsContent() {
        Der outer = new Der(HexFormat.of().parseHex("3002020302010a"));

        Der inner = outer.open(Der.SEQUENCE);

        assertThatIllegalArgumentException().isThrownBy(() -> inner.read(Der.INTEGER));
        assertThat(outer.read(Der.INTEGER)).containsExactly(10);
    }
}
