package io.kubeloop.apiserver.kinds.webhooks;

/** A webhook could not be called, or its answer is invalid. The failure policy of the webhook decides what follows. */
final class WebhookException extends Exception {

    private static final long serialVersionUID = 1L;

    WebhookException(String message) {
        super(message);
    }

    WebhookException(String message, Throwable cause) {
        super(message, cause);
    }
}
