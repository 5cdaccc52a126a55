/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.testing.CpuTime;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input of any size takes linear time and bounded memory, and an object above the limit is an error. */
class LargeInputTest {

    private static final int LIMIT = 1 << 20;
    private static final String BEFORE = "{\"items\":[{},{\"data\":{\"a\":\"";

    private final JsonCodec codec = JsonCodec.standard().withMaxObjectBytes(LIMIT);

    /** Gives one byte so many times, in parts of at most this many bytes. */
    private static final class Repeated extends InputStream {
        private final byte value;
        private final long total;
        private final int part;
        private long given;

        Repeated(char value, long total, int part) {
            this.value = (byte) value;
            this.total = total;
            this.part = part;
        }

        @Override
        public int read() {
            return given++ < total ? value : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int count = (int) Math.min(Math.min(part, length), total - given);
            Arrays.fill(target, offset, offset + count, value);
            given += count;
            return count == 0 ? -1 : count;
        }
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static KubeList<ConfigMap> decode(JsonCodec codec, String before, InputStream middle, String after) {
        InputStream start = new SequenceInputStream(text(before), middle);
        return codec.decodeList(ResourceTypes.CONFIG_MAPS, new SequenceInputStream(start, text(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x | {\"items\":[{},{\"data\":{\"a\":\" | $.items[1].data.a, found the string \"xxx",
                "9 | {\"items\":[{},{\"future\": | $.items[1].future, found the number 999",
                "[ | {\"items\":[{},{\"future\":\" | $.items[1].future, found the string \"[[[",
                "` ` | {\"items\":[{},{\"data\": | $.items[1].data, found the end of the input",
                "x | {\"items\":[{},{\" | $.items[1], found the string \"xxx",
                "x | {\"future\":\" | $.future, found the string \"xxx",
                "x | {\"metadata\":{\"continue\":\" | $.metadata.continue, found the string \"xxx",
            })
    void decodeList_endlessValue_failsAtTheLimit(char value, String before, String place) {
        Repeated endless = new Repeated(value, Long.MAX_VALUE, Integer.MAX_VALUE);
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decode(codec, before, endless, ""))
                .withMessageStartingWith(
                        "expected an object of less than 1048576 bytes (JsonCodec.withMaxObjectBytes) at " + place);
        assertThat(endless.given).isLessThanOrEqualTo(LIMIT + (64 << 10));
    }

    @Test
    void decodeList_byDefault_endsAt64MiB() {
        Repeated endless = new Repeated('x', Long.MAX_VALUE, Integer.MAX_VALUE);
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decode(JsonCodec.standard(), BEFORE, endless, ""))
                .withMessageContaining("an object of less than 67108864 bytes");
        assertThat(endless.given).isBetween((64L << 20) - 100, 64L << 20);
    }

    @Test
    void decodeList_largerThanTheLimit_ofSmallerObjects_passes() {
        int length = LIMIT - 100;
        String large = "{\"data\":{\"a\":\"" + "x".repeat(length) + "\"}},";
        KubeList<ConfigMap> list = codec.decodeList(
                ResourceTypes.CONFIG_MAPS, text("{\"items\":[" + large.repeat(5) + "{}],\"metadata\":{}}"));
        assertThat(list.items()).hasSize(6);
        assertThat(list.items().get(4).data().get("a")).hasSize(length);
    }

    @Test
    void decodeList_longString_takesLinearTime() {
        long small = CpuTime.nanos(() -> decodeString(4 << 20));
        long large = CpuTime.nanos(() -> decodeString(16 << 20));
        // A scan of the string per part would take 16 times as long, and many seconds: 16,384 parts of 8 MiB on
        // average.
        assertThat(large).isLessThan(10 * small + 500_000_000L);
    }

    private static void decodeString(int length) {
        KubeList<ConfigMap> list = decode(JsonCodec.standard(), BEFORE, new Repeated('x', length, 1024), "\"}}]}");
        assertThat(list.items().get(1).data().get("a")).hasSize(length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (512 << 20) + 1})
    void withMaxObjectBytes_outsideItsRange_isRefused(int bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonCodec.standard().withMaxObjectBytes(bytes))
                .withMessage("maxObjectBytes must be from 1 to 536870912, got " + bytes);
    }
}
