package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import java.util.function.Consumer;

/** Passes the keys of changed objects to a consumer. As thread-safe as that consumer. */
public record KeyHandler(String handlerName, Consumer<? super ObjectName> keys)
        implements ResourceEventHandler<KubeObject> {

    @Override
    public void onAdd(KubeObject object, boolean isInInitialList) {
        keys.accept(object.objectName());
    }

    @Override
    public void onUpdate(KubeObject oldObject, KubeObject newObject) {
        keys.accept(newObject.objectName());
    }

    @Override
    public void onDelete(DeletedObject<KubeObject> deleted) {
        keys.accept(deleted.name());
    }
}
