/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.fake.FakeLister;
import java.util.List;

/**
 * A cache whose content is replaced as a whole between the steps of a test. For one thread.
 *
 * @param <T> the type of the objects
 */
final class ReplaceableLister<T extends KubeObject> implements Lister<T> {

    private FakeLister<T> content = new FakeLister<>();

    void replace(List<T> objects) {
        content = new FakeLister<>();
        objects.forEach(content::with);
    }

    void put(T object) {
        content.with(object);
    }

    void remove(ObjectName name) {
        content.remove(name);
    }

    @Override
    public T get(ObjectName name) {
        return content.get(name);
    }

    @Override
    public List<T> list() {
        return content.list();
    }

    @Override
    public List<T> list(String namespace) {
        return content.list(namespace);
    }
}
