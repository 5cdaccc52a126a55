/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadModifyWriteTest {

    private static final ObjectName NAME = new ObjectName("shop", "a");

    private final StoredObjects widgets = new StoredObjects();
    private final List<Duration> delays = new ArrayList<>();
    private final Retry retry =
            new Retry(new BackoffSteps(Duration.ofMillis(10), 2, 1, 4, Duration.ZERO), delays::add, () -> 0.5);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private static GenericObject toSeven(GenericObject object) {
        return object.with(List.of("spec", "n"), 7);
    }

    private static GenericObject widget() {
        return GenericObject.of("example.com/v1", "Widget", ObjectMeta.named("shop", "a"));
    }

    private void otherClientWrites(String value) {
        widgets.put(widgets.get(NAME).with(List.of("other"), value));
        widgets.calls().remove(widgets.calls().size() - 1);
    }

    @Test
    void edit_withoutConflict_readsAndUpdatesOnce() {
        widgets.put(widget());
        GenericObject stored = widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry);
        assertThat(stored.integer("spec", "n")).isEqualTo(7);
        assertThat(stored.metadata().resourceVersion()).isEqualTo("2");
        assertThat(widgets.calls()).containsExactly("get", "update");
        assertThat(delays).isEmpty();
    }

    @Test
    void edit_afterLostRaces_changesTheObjectThatTheOtherClientWrote() {
        widgets.put(widget());
        widgets.beforeWrite(() -> otherClientWrites("first"));
        widgets.beforeWrite(() -> otherClientWrites("second"));
        GenericObject stored = widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry);
        assertThat(stored.string("other")).isEqualTo("second");
        assertThat(stored.integer("spec", "n")).isEqualTo(7);
        assertThat(widgets.calls()).containsExactly("get", "update", "get", "update", "get", "update");
        assertThat(delays).containsExactly(Duration.ofMillis(15), Duration.ofMillis(30));
    }

    @Test
    void edit_withAConflictEachTime_throwsTheConflictAfterTheLastAttempt() {
        widgets.put(widget());
        for (int i = 0; i < 4; i++) {
            widgets.beforeWrite(() -> otherClientWrites("again"));
        }
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry))
                .withMessage("Cannot write shop/a: other clients changed it during each of 4 attempts,"
                        + " the last answer was: 409 Conflict: refused")
                .matches(ApiException::isConflict)
                .withCauseInstanceOf(ApiException.class);
        assertThat(delays).hasSize(3);
    }

    @Test
    void edit_ofAnObjectThatDoesNotExist_throwsNotFoundAtOnce() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry))
                .matches(ApiException::isNotFound);
        widgets.put(widget());
        widgets.beforeWrite(() -> widgets.remove(NAME));
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry))
                .matches(ApiException::isNotFound);
        assertThat(delays).isEmpty();
    }

    @Test
    void edit_withAnotherError_doesNotTryAgain() {
        widgets.put(widget());
        widgets.beforeWrite(() -> {
            throw StoredObjects.refusal("update", 422, "Invalid");
        });
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> widgets.edit(NAME, ReadModifyWriteTest::toSeven, retry))
                .matches(ApiException::isInvalid);
        assertThat(widgets.calls()).containsExactly("get", "update");
    }

    @Test
    void edit_thatChangesNothing_sendsNothing() {
        GenericObject stored = widgets.put(widget());
        assertThat(widgets.edit(NAME, object -> object)).isSameAs(stored);
        assertThat(widgets.edit(NAME, object -> widget())).isSameAs(stored);
        assertThat(widgets.calls()).containsExactly("get", "get");
    }

    @Test
    void edit_toAnObjectWithoutVersion_carriesTheVersionThatWasRead() {
        widgets.put(widget());
        widgets.beforeWrite(() -> otherClientWrites("kept from being overwritten unseen"));
        widgets.edit(NAME, object -> toSeven(widget()), retry);
        assertThat(widgets.calls()).containsExactly("get", "update", "get", "update");
    }

    @Test
    void edit_toAnotherNameOrNull_isRefused() {
        widgets.put(widget());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> widgets.edit(NAME, object -> object.withMetadata(ObjectMeta.named("shop", "b"))))
                .withMessage("The change of shop/a must return an object of the same namespace and name,"
                        + " but returned shop/b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> widgets.edit(NAME, object -> null))
                .withMessageEndingWith("but returned null");
    }

    @Test
    void edit_interruptedBetweenAttempts_endsWithTheInterruptKept() {
        widgets.put(widget());
        widgets.beforeWrite(() -> otherClientWrites("first"));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> widgets.edit(NAME, ReadModifyWriteTest::toSeven))
                .withMessage("Cannot write shop/a: interrupted before attempt 2 of 5")
                .matches(e -> e.kind() == TransportException.Kind.CLOSED)
                .matches(e -> e.getCause().getSuppressed().length == 1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void editStatus_writesTheStatusAlone() {
        widgets.put(widget());
        widgets.editStatus(NAME, object -> object.with(List.of("status", "phase"), "Ready"));
        assertThat(widgets.calls()).containsExactly("get", "updateStatus");
    }

    @Test
    void createOrUpdate_ofAnAbsentObject_createsTheChangedInitialObject() {
        GenericObject stored = widgets.createOrUpdate(widget(), ReadModifyWriteTest::toSeven, retry);
        assertThat(stored.integer("spec", "n")).isEqualTo(7);
        assertThat(widgets.calls()).containsExactly("get", "create");
    }

    @Test
    void createOrUpdate_ofAnExistingObject_changesIt() {
        widgets.put(widget().with(List.of("other"), "kept"));
        GenericObject stored = widgets.createOrUpdate(widget(), ReadModifyWriteTest::toSeven);
        assertThat(stored.string("other")).isEqualTo("kept");
        assertThat(widgets.calls()).containsExactly("get", "update");
        assertThat(widgets.createOrUpdate(widget(), ReadModifyWriteTest::toSeven))
                .isEqualTo(stored);
        assertThat(widgets.calls()).containsExactly("get", "update", "get");
    }

    @Test
    void createOrUpdate_whenTheObjectAppearsAndDisappears_triesAgain() {
        widgets.beforeWrite(() -> widgets.put(widget()));
        widgets.beforeWrite(() -> widgets.remove(NAME));
        GenericObject stored = widgets.createOrUpdate(widget(), ReadModifyWriteTest::toSeven, retry);
        assertThat(stored.integer("spec", "n")).isEqualTo(7);
        assertThat(widgets.calls()).containsExactly("get", "create", "get", "update", "get", "create");
        assertThat(delays).hasSize(2);
    }

    @Test
    void createOrUpdate_whenTheCreationIsNotFound_failsAtOnce() {
        widgets.beforeWrite(() -> {
            throw StoredObjects.refusal("create", 404, "NotFound"); // the namespace
        });
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> widgets.createOrUpdate(widget(), ReadModifyWriteTest::toSeven, retry))
                .matches(ApiException::isNotFound);
        assertThat(delays).isEmpty();
    }
}
