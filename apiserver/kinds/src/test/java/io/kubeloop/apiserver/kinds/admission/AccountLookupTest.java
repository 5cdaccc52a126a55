/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccountLookupTest {

    private final Storage storage = new Storage(8, 1);
    private final ResourceStore accounts = Objects.requireNonNull(new ApiBackend(
                    storage,
                    BuiltInKinds.create(),
                    Clock.systemUTC(),
                    Scheduler.system(Thread::new),
                    Duration.ofMinutes(1),
                    new Random(1),
                    List.of())
            .storeOfKind("v1", "ServiceAccount"));

    private void write(String name) {
        JsonObject account = JsonObject.EMPTY.with("metadata", JsonObject.EMPTY.with("name", name));
        storage.put(accounts.bucket(), "shop/" + name, null, account, null);
    }

    @Test
    void find_waitsForTheDefaultAccount() throws Exception {
        AccountLookup lookup = new AccountLookup(storage, accounts, Duration.ofMinutes(5));
        CompletableFuture<@Nullable JsonObject> found =
                CompletableFuture.supplyAsync(() -> lookup.find("shop", "default"));
        write("other");
        assertThat(found.isDone()).isFalse();
        write("default");
        assertThat(found.get(1, TimeUnit.MINUTES)).isNotNull();
    }

    @Test
    void find_doesNotWaitForOtherAccounts() {
        AccountLookup lookup = new AccountLookup(storage, accounts, Duration.ofDays(1));
        assertThat(lookup.find("shop", "robot")).isNull();
        write("robot");
        assertThat(lookup.find("shop", "robot")).isNotNull();
    }

    @Test
    void find_afterItsPatience_returnsNull() {
        assertThat(new AccountLookup(storage, accounts, Duration.ZERO).find("shop", "default"))
                .isNull();
    }

    @Test
    void find_ofAnInterruptedThread_returnsNullAndKeepsTheInterrupt() {
        AccountLookup lookup = new AccountLookup(storage, accounts, Duration.ofDays(1));
        Thread.currentThread().interrupt();
        assertThat(lookup.find("shop", "default")).isNull();
        assertThat(Thread.interrupted()).isTrue();
    }
}
