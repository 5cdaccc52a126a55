package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.runtime.SafeLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects without a name: none that an API server has stored, and no key to keep them by. They are passed over, as upstream
 * does with what has no metadata (RE-51).
 */
final class ObjectNames {

    private static final Logger log = LoggerFactory.getLogger(ObjectNames.class);

    private ObjectNames() {}

    /** Returns whether the object has no name; says so in the log. */
    static boolean isMissing(String informer, KubeObject object) {
        boolean nameless = object.metadata().name().isEmpty();
        if (nameless) {
            SafeLog.log(() -> log.warn("{}: the server sent an object without a name; it is passed over", informer));
        }
        return nameless;
    }
}
