/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.coordination.LeaseSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server that holds one lease, with optimistic locking, and applies a script to each call. Thread-safe.
 */
final class FakeLeases implements KubeClient {

    /** What happens to a call before and after it is carried out: nothing, an exception, or a long wait. */
    interface Script {
        void before(String verb) throws Exception;

        default void after(String verb) {}
    }

    @GuardedBy("this")
    private final List<String> calls = new ArrayList<>();

    private volatile Script script = verb -> {};

    @GuardedBy("this")
    private @Nullable Lease stored;

    @GuardedBy("this")
    private int version;

    void script(Script next) {
        script = next;
    }

    static ApiException refusal(int code, String reason) {
        return new ApiException("test", Status.failure(code, reason, "as the script says"), null);
    }

    synchronized List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    synchronized @Nullable Lease stored() {
        return stored;
    }

    synchronized String holder() {
        return stored == null ? "" : Objects.requireNonNullElse(stored.spec().holderIdentity(), "");
    }

    synchronized void set(LeaseSpec spec) {
        store(
                stored == null
                        ? Lease.of(ObjectMeta.named("kube-system", "my-controller"), spec)
                        : stored.withSpec(spec));
    }

    synchronized void change(UnaryOperator<Lease> by) {
        store(by.apply(Objects.requireNonNull(stored)));
    }

    synchronized void delete() {
        stored = null;
    }

    @GuardedBy("this")
    private Lease store(Lease lease) {
        version++;
        stored = lease.withMetadata(ObjectMetaBuilder.builder(lease.metadata())
                .resourceVersion(Integer.toString(version))
                .build());
        return stored;
    }

    /** Does not hold the lock while the script runs: it may wait. */
    private void call(String verb) {
        synchronized (this) {
            calls.add(verb + " leases");
        }
        try {
            script.before(verb);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the call was interrupted", e);
        }
    }

    private final class Leases implements ResourceClient<Lease> {

        @Override
        public Lease get(ObjectName name) {
            call("get");
            Lease answer;
            synchronized (FakeLeases.this) {
                if (stored == null) {
                    throw refusal(404, "NotFound");
                }
                answer = stored;
            }
            script.after("get");
            return answer;
        }

        @Override
        public Lease create(Lease lease) {
            call("create");
            Lease answer;
            synchronized (FakeLeases.this) {
                if (stored != null) {
                    throw refusal(409, "AlreadyExists");
                }
                answer = store(lease);
            }
            script.after("create");
            return answer;
        }

        @Override
        public Lease update(Lease lease) {
            call("update");
            Lease answer;
            synchronized (FakeLeases.this) {
                if (stored == null) {
                    throw refusal(404, "NotFound");
                }
                if (!stored.metadata().resourceVersion().equals(lease.metadata().resourceVersion())) {
                    throw refusal(409, "Conflict");
                }
                answer = store(lease);
            }
            script.after("update");
            return answer;
        }

        @Override
        public KubeList<Lease> list(String namespace, ListOptions options) {
            throw unexpected();
        }

        @Override
        public WatchStream<Lease> watch(String namespace, ListOptions options) {
            throw unexpected();
        }

        @Override
        public Lease updateStatus(Lease lease) {
            throw unexpected();
        }

        @Override
        public Lease patch(ObjectName name, Patch patch) {
            throw unexpected();
        }

        @Override
        public Lease patch(ObjectName name, Patch patch, String subresource) {
            throw unexpected();
        }

        @Override
        public void delete(ObjectName name, DeleteOptions options) {
            throw unexpected();
        }

        @Override
        public ListerWatcher<Lease> listerWatcher(
                String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {
            throw unexpected();
        }
    }

    private static AssertionError unexpected() {
        return new AssertionError("no elector asks for that");
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends KubeObject> ResourceClient<T> resource(ResourceType<T> type) {
        if (!type.equals(ResourceTypes.LEASES)) {
            throw unexpected();
        }
        return (ResourceClient<T>) new Leases();
    }

    @Override
    public Transport transport() {
        throw unexpected();
    }

    @Override
    public KubeClient withTransport(Transport transport) {
        throw new UnsupportedOperationException("not part of the script");
    }

    @Override
    public void close() {}
}
