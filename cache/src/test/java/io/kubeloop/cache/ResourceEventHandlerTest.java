/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ResourceEventHandlerTest {

    private static final Thing RED = Thing.of("n/a", "1", "red");
    private static final Thing RED_LATER = Thing.of("n/a", "2", "red");
    private static final Thing BLUE = Thing.of("n/a", "3", "blue");

    private final List<String> told = new ArrayList<>();

    private final ResourceEventHandler<Thing> recorder = new ResourceEventHandler<>() {
        @Override
        public void onAdd(Thing object, boolean isInInitialList, EventCause cause) {
            told.add("add " + object + " " + isInInitialList + " " + cause);
        }

        @Override
        public void onUpdate(Thing oldObject, Thing newObject, EventCause cause) {
            told.add("update " + oldObject + " -> " + newObject + " " + cause);
        }

        @Override
        public void onDelete(DeletedObject<Thing> deleted, EventCause cause) {
            told.add("delete " + deleted + " " + cause);
        }

        @Override
        public String handlerName() {
            return "recorder";
        }
    };

    private final ResourceEventHandler<Thing> reds =
            ResourceEventHandler.filtered(thing -> thing.value().equals("red"), recorder);

    @Test
    void filtered_add_isToldIfItMatches_FH02() {
        reds.onAdd(RED, true, EventCause.INITIAL_LIST);
        reds.onAdd(BLUE, true, EventCause.INITIAL_LIST);
        assertThat(told).containsExactly("add n/a@1=red true INITIAL_LIST");
    }

    @Test
    void filtered_update_isAnAddOrDeletionForWhatBeginsOrCeasesToMatch_FH02() {
        reds.onUpdate(RED, RED_LATER, EventCause.WATCH);
        reds.onUpdate(RED_LATER, BLUE, EventCause.RELIST);
        reds.onUpdate(BLUE, BLUE, EventCause.RESYNC);
        reds.onUpdate(BLUE, RED, EventCause.WATCH);
        assertThat(told)
                .containsExactly(
                        "update n/a@1=red -> n/a@2=red WATCH",
                        "delete Observed[name=n/a, object=n/a@2=red] RELIST",
                        "add n/a@1=red false WATCH");
    }

    @Test
    void filtered_deletion_isToldIfTheLastStateMatchesOrNoneIsKnown_FH02() {
        ObjectName name = new ObjectName("n", "a");
        reds.onDelete(new DeletedObject.Observed<>(name, RED), EventCause.WATCH);
        reds.onDelete(new DeletedObject.Observed<>(name, BLUE), EventCause.WATCH);
        reds.onDelete(new DeletedFinalStateUnknown<>(name, BLUE), EventCause.RELIST);
        reds.onDelete(new DeletedFinalStateUnknown<>(name, null), EventCause.RELIST);
        assertThat(told)
                .containsExactly(
                        "delete Observed[name=n/a, object=n/a@1=red] WATCH",
                        "delete DeletedFinalStateUnknown[name=n/a, lastKnown=null] RELIST");
    }

    @Test
    void methodsThatAreNotImplemented_doNothing_FH01() {
        ResourceEventHandler<Thing> onlyUpdates = new ResourceEventHandler<>() {
            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                told.add(oldObject + " -> " + newObject);
            }
        };
        onlyUpdates.onAdd(RED, true, EventCause.REPLAY);
        onlyUpdates.onUpdate(RED, BLUE, EventCause.WATCH);
        onlyUpdates.onDelete(new DeletedObject.Observed<>(BLUE.objectName(), BLUE), EventCause.WATCH);
        assertThat(told).containsExactly("n/a@1=red -> n/a@3=blue");
    }

    @Test
    void forKeys_passesOnTheKeyOfWhateverChanged() {
        List<ObjectName> keys = new ArrayList<>();
        ResourceEventHandler<KubeObject> handler = ResourceEventHandler.forKeys(keys::add);
        handler.onAdd(Thing.of("n/a", "1"), false, EventCause.WATCH);
        handler.onUpdate(Thing.of("n/b", "1"), Thing.of("n/b", "2"), EventCause.WATCH);
        handler.onDelete(new DeletedFinalStateUnknown<>(new ObjectName("n", "c"), null), EventCause.RELIST);
        assertThat(keys).containsExactly(new ObjectName("n", "a"), new ObjectName("n", "b"), new ObjectName("n", "c"));
    }

    @Test
    void forKeys_withACondition_skipsOnlyUpdatesThatAreNotRelevant() {
        List<ObjectName> keys = new ArrayList<>();
        ResourceEventHandler<KubeObject> handler = ResourceEventHandler.forKeys(
                "changes",
                (old, current) -> !old.metadata()
                        .resourceVersion()
                        .equals(current.metadata().resourceVersion()),
                keys::add);
        handler.onAdd(Thing.of("n/a", "1"), false, EventCause.WATCH);
        handler.onUpdate(Thing.of("n/b", "1"), Thing.of("n/b", "1"), EventCause.RESYNC);
        handler.onUpdate(Thing.of("n/c", "1"), Thing.of("n/c", "2"), EventCause.WATCH);
        handler.onDelete(new DeletedFinalStateUnknown<>(new ObjectName("n", "d"), null), EventCause.RELIST);
        assertThat(keys).containsExactly(new ObjectName("n", "a"), new ObjectName("n", "c"), new ObjectName("n", "d"));
        assertThat(handler.handlerName()).isEqualTo("changes");
    }

    @Test
    void forObjects_passesOnTheNewestKnownState() {
        List<Thing> states = new ArrayList<>();
        ResourceEventHandler<Thing> handler = ResourceEventHandler.forObjects("states", states::add);
        Thing first = Thing.of("n/a", "1");
        Thing second = Thing.of("n/a", "2");
        handler.onAdd(first, false, EventCause.WATCH);
        handler.onUpdate(first, second, EventCause.WATCH);
        handler.onDelete(new DeletedObject.Observed<>(second.objectName(), second), EventCause.WATCH);
        handler.onDelete(new DeletedFinalStateUnknown<>(new ObjectName("n", "c"), null), EventCause.RELIST);
        assertThat(states).containsExactly(first, second, second);
        assertThat(handler.handlerName()).isEqualTo("states");
    }

    @Test
    void forObjects_passesOnBothOfAReplacement() {
        List<Thing> states = new ArrayList<>();
        ResourceEventHandler<Thing> handler = ResourceEventHandler.forObjects("states", states::add);
        Thing gone = Thing.of("n/a", "1");
        Thing other = Thing.of("n/a", "2");
        other = other.withMetadata(other.metadata().withUid("another"));
        handler.onUpdate(gone, other, EventCause.RELIST);
        assertThat(states).containsExactly(gone, other);
    }

    @Test
    void handlerName_isTheClassOrWhatTheHandlerSays_FH03() {
        Consumer<ObjectName> lambda = key -> {};
        assertThat(new RecordingHandler().handlerName()).isEqualTo("RecordingHandler");
        assertThat(new ResourceEventHandler<>() {}.handlerName()).isEqualTo("ResourceEventHandlerTest");
        assertThat(new Nested().handlerName()).isEqualTo("ResourceEventHandlerTest.Nested");
        assertThat(ResourceEventHandler.forKeys(lambda).handlerName()).isEqualTo("keys to ResourceEventHandlerTest");
        assertThat(ResourceEventHandler.forKeys("replicaset", lambda).handlerName())
                .isEqualTo("replicaset");
        assertThat(reds.handlerName()).as("that of the filtered handler").isEqualTo("recorder");
    }

    private static final class Nested implements ResourceEventHandler<Thing> {}
}
