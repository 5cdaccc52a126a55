/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.runtime.UserCallbacks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds objects without a name. An API server never stores such an object, and the cache has no key for it. The
 * reflector skips such objects; upstream skips objects without metadata.
 */
final class ObjectNames {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectNames.class);

    private ObjectNames() {}

    /** Returns whether the object has no name, and logs it in that case. */
    static boolean isMissing(String informer, KubeObject object) {
        boolean nameless = object.metadata().name().isEmpty();
        if (nameless) {
            UserCallbacks.run(() -> LOG.warn("{}: the server sent an object without a name; skipping it", informer));
        }
        return nameless;
    }
}
