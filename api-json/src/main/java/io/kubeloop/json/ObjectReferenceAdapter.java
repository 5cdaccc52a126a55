package io.kubeloop.json;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;

/** {@link ObjectReference}. */
final class ObjectReferenceAdapter extends RecordAdapter<ObjectReference> {

    static final ObjectReferenceAdapter INSTANCE = new ObjectReferenceAdapter();

    private ObjectReferenceAdapter() {
        super("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");
    }

    @Override
    protected ObjectReference read(RecordReader in) {
        String kind = "";
        String namespace = "";
        String name = "";
        String uid = "";
        String apiVersion = "";
        String resourceVersion = "";
        String fieldPath = "";
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "kind" -> kind = in.sharedString();
                case "namespace" -> namespace = in.sharedString();
                case "name" -> name = in.string();
                case "uid" -> uid = in.string();
                case "apiVersion" -> apiVersion = in.sharedString();
                case "resourceVersion" -> resourceVersion = in.string();
                case "fieldPath" -> fieldPath = in.sharedString();
                default -> throw in.unexpected(member);
            }
        }
        return new ObjectReference(
                kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ObjectReference value) {
        out.string("kind", value.kind());
        out.string("namespace", value.namespace());
        out.string("name", value.name());
        out.string("uid", value.uid());
        out.string("apiVersion", value.apiVersion());
        out.string("resourceVersion", value.resourceVersion());
        out.string("fieldPath", value.fieldPath());
    }

    @Override
    protected UnknownFields unknownFields(ObjectReference value) {
        return value.unknownFields();
    }
}
