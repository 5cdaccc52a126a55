/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.testing.SeededRuns;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Only kubelets are approved automatically, a request gets one certificate and only if it is approved, and only old
 * requests are deleted, whatever the cache lag; in the end every request is decided as far as the controllers can.
 *
 * <p>See {@link CertificatesSimulation} for what goes wrong meanwhile; a failure prints the history of its run. The
 * system property {@code kubeloop.simulation.runs} sets the number of runs; 5,000 in the profile {@code stress}.
 */
@Tag("stress")
class CertificatesInvariantsTest {

    private static final int STEPS = 120;

    @Test
    void requestsInAWorldThatGoesWrong_areApprovedSignedAndCleaned() {
        SeededRuns.each(CertificatesSimulation::new, simulation -> simulation.run(STEPS));
    }
}
