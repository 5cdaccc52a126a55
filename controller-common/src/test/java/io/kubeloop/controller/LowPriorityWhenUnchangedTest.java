/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static io.kubeloop.workqueue.PriorityWorkQueue.LOW_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.workqueue.Prioritized;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;
import org.junit.jupiter.api.Test;

class LowPriorityWhenUnchangedTest {

    private final PriorityWorkQueue<ObjectName> queue = WorkQueues.priority("test");
    private final LowPriorityWhenUnchanged<Endpoints> handler = new LowPriorityWhenUnchanged<>(queue);

    private static Endpoints version(String version) {
        return Endpoints.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("shop", "web"))
                        .resourceVersion(version)
                        .build(),
                List.of());
    }

    private int takenPriority() throws InterruptedException {
        Prioritized<ObjectName> taken = queue.getWithPriority();
        assertThat(taken.item()).isEqualTo(new ObjectName("shop", "web"));
        queue.done(taken.item());
        return taken.priority();
    }

    @Test
    void add_ofTheFirstList_isLow_andALaterOneIsNot() throws Exception {
        handler.onAdd(version("1"), true);
        assertThat(takenPriority()).isEqualTo(LOW_PRIORITY);

        handler.onAdd(version("1"), false);
        assertThat(takenPriority()).isZero();
    }

    @Test
    void update_ofTheSameVersion_isLow_andAChangeIsNot() throws Exception {
        handler.onUpdate(version("1"), version("1"));
        assertThat(takenPriority()).isEqualTo(LOW_PRIORITY);

        handler.onUpdate(version("1"), version("2"));
        assertThat(takenPriority()).isZero();
    }

    @Test
    void delete_isNotLow() throws Exception {
        handler.onDelete(new DeletedObject.Observed<>(new ObjectName("shop", "web"), version("1")));

        assertThat(takenPriority()).isZero();
    }
}
