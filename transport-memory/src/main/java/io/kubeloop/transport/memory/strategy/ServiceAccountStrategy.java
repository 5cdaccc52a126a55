package io.kubeloop.transport.memory.strategy;

import io.kubeloop.transport.memory.machinery.RestStrategy;

/**
 * The strategy of ServiceAccounts (upstream: {@code pkg/registry/core/serviceaccount}). Unlike upstream, the server
 * issues no tokens for them.
 */
final class ServiceAccountStrategy implements RestStrategy {

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }
}
