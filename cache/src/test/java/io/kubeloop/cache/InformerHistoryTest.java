/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.cache.InformerConfig.QueueKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories of failing servers, through whole informers. System properties: {@code kubeloop.histories}, their
 * number; {@code kubeloop.history}, the seed of the only one to run. The interleaving of threads is random, so a failed
 * seed may need several runs.
 */
@Tag("stress")
class InformerHistoryTest {

    private static final int COUNT = Integer.getInteger("kubeloop.histories", 24);

    @ParameterizedTest
    @CsvSource({"REAL_FIFO, true", "REAL_FIFO, false", "DELTA_FIFO, true", "DELTA_FIFO, false"})
    void history_atRandom_endsInTheServersState_I1_I2_I3_I4_I5_I6_I7_I8_I12_I13(QueueKind queue, boolean streaming)
            throws InterruptedException {
        Long one = Long.getLong("kubeloop.history");
        for (long seed = one == null ? 1 : one; seed <= (one == null ? COUNT / 4 : one); seed++) {
            try {
                new InformerHistory(seed, queue, streaming).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "history " + seed + " (" + queue + ", streaming " + streaming + "): " + e.getMessage()
                                + "; run it again with mvn -pl cache -am test -Dtest=InformerHistoryTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dkubeloop.history=" + seed,
                        e);
            }
        }
        if (one == null && COUNT > 100) {
            System.out.println(COUNT / 4 + " histories, " + queue + ", streaming " + streaming + ": all well");
        }
    }
}
