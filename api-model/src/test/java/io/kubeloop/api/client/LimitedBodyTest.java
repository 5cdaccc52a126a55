/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LimitedBodyTest {

    private static LimitedBody body(int bytes) {
        return new LimitedBody("GET /api at http://a", new ByteArrayInputStream(new byte[bytes]), 8);
    }

    private static void assertTooLarge(ThrowingCallable read) {
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(read)
                .withMessage("GET /api at http://a: the response is larger than the 8 bytes allowed;"
                        + " list page by page (limit)")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TOO_LARGE));
    }

    @Test
    void read_upToTheLimit_passes() throws Exception {
        try (LimitedBody body = body(8)) {
            assertThat(body.readAllBytes()).hasSize(8);
            assertThat(body.read()).isNegative();
        }
    }

    @Test
    void read_beyondTheLimit_fails_howeverItIsRead() throws Exception {
        try (LimitedBody inParts = body(9);
                LimitedBody bytewise = body(9);
                LimitedBody skipping = body(9)) {
            assertTooLarge(inParts::readAllBytes);
            assertThat(bytewise.readNBytes(8)).hasSize(8);
            assertTooLarge(bytewise::read);
            assertTooLarge(() -> skipping.skip(9));
        }
    }
}
