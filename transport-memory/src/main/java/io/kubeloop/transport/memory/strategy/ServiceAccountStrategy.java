package io.kubeloop.transport.memory.strategy;

import io.kubeloop.transport.memory.machinery.RestStrategy;

/** ServiceAccounts (upstream: {@code pkg/registry/core/serviceaccount}). They have no tokens here. */
final class ServiceAccountStrategy implements RestStrategy {

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }
}
