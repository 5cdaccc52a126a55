/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.WorkCounter;
import org.junit.jupiter.api.Test;

class WorkCountTest {

    private final WorkCount work = new WorkCount();

    @Test
    void onlyWatchesAndInformers_haveEvents() {
        work.begin(WorkCount.REQUESTS);
        work.begin("queue cards");
        assertThat(work.hasEvents()).isFalse();

        work.beginWatch(Thread.currentThread());
        assertThat(work.hasEvents()).isTrue();
        WorkCounter informers = work.counter(WorkCount.INFORMERS);
        informers.begin();
        work.endWatch(Thread.currentThread());
        assertThat(work.hasEvents()).isTrue();
        informers.end();
        assertThat(work.hasEvents()).isFalse();
    }
}
