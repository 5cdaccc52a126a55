/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records each call as one line. */
public class RecordingHandler implements ResourceEventHandler<Thing> {

    private static final long PATIENCE_SECONDS = 20;
    public final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

    @Override
    public void onAdd(Thing object, boolean isInInitialList) {
        calls.add("add " + object + (isInInitialList ? " initial" : ""));
    }

    @Override
    public void onUpdate(Thing oldObject, Thing newObject) {
        calls.add("update " + oldObject + " -> " + newObject);
    }

    @Override
    public void onDelete(DeletedObject<Thing> deleted) {
        calls.add("delete " + deleted.lastKnown() + (deleted instanceof DeletedFinalStateUnknown ? " unseen" : ""));
    }

    /** Waits for this number of calls, and returns their lines. */
    public List<String> take(int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String call = calls.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(call).as("call %s of %s after %s", i + 1, count, taken).isNotNull();
            taken.add(call);
        }
        return taken;
    }
}
