package io.kubeloop.transport.http;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A configuration cannot be used. The message says which file, and what is wrong with it; it quotes no secret. */
public final class KubeconfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean empty;

    KubeconfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.empty = false;
    }

    private KubeconfigException(String message) {
        super(message);
        this.empty = true;
    }

    static KubeconfigException nothingConfigured() {
        return new KubeconfigException("no API server is configured: there is no kubeconfig with a current context"
                + " (looked at --kubeconfig, KUBECONFIG and ~/.kube/config), and no --master");
    }

    static KubeconfigException noSuchCluster(String context, String cluster, Collection<String> known) {
        return new KubeconfigException("no API server is configured: the context \"" + context
                + "\" names the cluster \"" + cluster + "\", which the kubeconfig does not have, only " + known);
    }

    /** Returns whether nothing is configured at all, as opposed to something wrong. */
    public boolean isEmpty() {
        return empty;
    }
}
