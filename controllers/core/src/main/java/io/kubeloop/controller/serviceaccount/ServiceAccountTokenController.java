/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Secret;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.CompositeController;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerGroup;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.security.KeyPair;
import java.util.List;

/**
 * Fills token secrets that users create with a token of their account, and deletes them with the account (upstream:
 * {@code TokensController}).
 *
 * <p>Thread-safe. {@link #awaitTermination} and {@link #close} block.
 */
public final class ServiceAccountTokenController implements CompositeController {

    // Threads: handlers run on the informers' threads, syncs on the workers of two loops. They share the queues.

    private static final String NAME = "serviceaccount-token";
    private static final String ACCOUNT = "tokens-controller";
    private static final String QUEUE = "serviceaccount_tokens_service";
    private static final String SECRET_QUEUE = "serviceaccount_tokens_secret";

    private final ControllerGroup loops;

    private ServiceAccountTokenController(ControllerContext context, KeyPair keys, String rootCa) {
        KubeClient client = context.clients().apply(ACCOUNT);
        SharedInformer<ServiceAccount> accountInformer = context.informers().informer(ResourceTypes.SERVICE_ACCOUNTS);
        SharedInformer<Secret> secretInformer = context.informers().informer(ResourceTypes.SECRETS);
        TokenSecrets sync = new TokenSecrets(
                accountInformer.lister(),
                secretInformer.lister(),
                client.resource(ResourceTypes.SERVICE_ACCOUNTS),
                client.resource(ResourceTypes.SECRETS),
                new LegacyTokenSigner(keys),
                rootCa);
        RateLimitingQueue<TokenSecrets.AccountKey> accountQueue =
                WorkQueues.rateLimiting(context.queues().apply(QUEUE));
        RateLimitingQueue<TokenSecrets.SecretKey> secretQueue =
                WorkQueues.rateLimiting(context.queues().apply(SECRET_QUEUE));
        List<Registration> registrations = List.of(
                accountInformer.addHandler(ResourceEventHandler.forObjects(
                        ACCOUNT, account -> accountQueue.add(TokenSecrets.AccountKey.of(account)))),
                secretInformer.addHandler(ResourceEventHandler.filtered(
                        secret -> secret.type().equals(TokenSecrets.TYPE),
                        ResourceEventHandler.forObjects(
                                ACCOUNT, secret -> secretQueue.add(TokenSecrets.SecretKey.of(secret))))));
        var accounts = new ControllerLoop<>(NAME, accountQueue, sync::syncAccount, registrations, context.threads());
        var secrets = new ControllerLoop<>(
                NAME + "-secrets", secretQueue, sync::syncSecret, registrations, context.threads());
        loops = ControllerGroup.named(NAME).with(accounts).with(secrets);
    }

    /**
     * Creates the controller ({@code serviceaccount-token}), registered with its informers and not started.
     *
     * @param keys the key that signs tokens; the API server must accept it. RSA, or ECDSA on a curve of 256, 384 or 521
     *     bits
     * @param rootCa the CA bundle of the API server in PEM, which each secret contains; empty for none
     * @throws IllegalArgumentException if the key is of another kind
     */
    public static ServiceAccountTokenController of(ControllerContext context, KeyPair keys, String rootCa) {
        return new ServiceAccountTokenController(context, keys, rootCa);
    }

    /** Returns the loop for accounts and the loop for secrets, with the same number of workers. */
    @Override
    public ControllerGroup loops() {
        return loops;
    }
}
