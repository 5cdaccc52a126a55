package io.kubeloop.apiserver.machinery;

import io.kubeloop.json.tree.JsonObject;

/** Checks the types of an object's fields. Must be thread-safe. */
@FunctionalInterface
public interface TypeCheck {

    /**
     * Checks an object.
     *
     * @param object the object in its stored form
     * @param json the object as JSON, possibly with further members
     * @throws io.kubeloop.api.client.DecodeException if a field has the wrong type
     */
    void require(JsonObject object, byte[] json);
}
