/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.util.List;

/**
 * Keeps the account {@code default} in every active namespace (upstream: {@code ServiceAccountsController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ServiceAccountController implements SingleLoopController {

    // Threads: handlers run on the informers' threads, syncs on the loop's workers. They share the queue.

    private static final String NAME = "serviceaccount";
    private static final String ACCOUNT = "service-account-controller";
    private static final String DEFAULT = "default";

    private final Lister<Namespace> namespaces;
    private final Lister<ServiceAccount> accounts;
    private final ResourceClient<ServiceAccount> client;
    private final ControllerLoop<ObjectName> loop;

    private ServiceAccountController(ControllerContext context) {
        SharedInformer<Namespace> namespaceInformer = context.informers().informer(ResourceTypes.NAMESPACES);
        SharedInformer<ServiceAccount> accountInformer = context.informers().informer(ResourceTypes.SERVICE_ACCOUNTS);
        namespaces = namespaceInformer.lister();
        accounts = accountInformer.lister();
        client = context.clients().apply(ACCOUNT).resource(ResourceTypes.SERVICE_ACCOUNTS);
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(NAME));
        ResourceEventHandler<ServiceAccount> deletions = new ResourceEventHandler<>() {
            @Override
            public void onDelete(DeletedObject<ServiceAccount> deleted) {
                queue.add(NamespaceKeys.of(deleted.name().namespace()));
            }

            @Override
            public String handlerName() {
                return ACCOUNT;
            }
        };
        loop = new ControllerLoop<>(
                NAME,
                queue,
                this::syncNamespace,
                List.of(
                        accountInformer.addHandler(deletions),
                        namespaceInformer.addHandler(NamespaceKeys.handler(ACCOUNT, namespace -> true, queue::add))),
                context.threads());
    }

    /** Creates the controller ({@code serviceaccount}), registered with its informers and not started. */
    public static ServiceAccountController of(ControllerContext context) {
        return new ServiceAccountController(context);
    }

    private void syncNamespace(ObjectName key) {
        Namespace namespace = namespaces.get(key);
        ObjectName account = new ObjectName(key.name(), DEFAULT);
        if (namespace == null || !NamespaceKeys.isActive(namespace) || accounts.get(account) != null) {
            return;
        }
        try {
            client.create(ServiceAccount.of(ObjectMeta.named(key.name(), DEFAULT)));
        } catch (ApiException e) {
            if (!e.isAlreadyExists() && !Errors.isNamespaceTerminating(e)) {
                throw e;
            }
        }
    }

    @Override
    public ControllerLoop<ObjectName> loop() {
        return loop;
    }
}
