/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import java.util.List;

/** Records the entries that a queue delivers, in one line. */
class EntryPrinter implements DeltaConsumer<Integer, Integer> {

    private String text = "";

    String text() {
        return text;
    }

    @Override
    public void deltas(List<Delta<Integer, Integer>> deltas, boolean isInInitialList) {
        for (Delta<Integer, Integer> delta : deltas) {
            text += (text.isEmpty() ? "" : ", ")
                    + (delta.isDeletion() ? DeltaType.DELETED : delta.type())
                    + " "
                    + delta.object()
                    + (delta.finalStateUnknown() ? " unseen" : "");
        }
    }

    @Override
    public void replacedAll(List<Integer> objects, String resourceVersion, boolean isInInitialList) {
        text += "list";
        for (Integer object : objects) {
            text += " " + object;
        }
    }

    @Override
    public void syncAll() {
        text += "sync";
    }

    @Override
    public void bookmark(String resourceVersion) {
        text += "bookmark " + resourceVersion;
    }

    @Override
    public void synced() {}
}
