package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import java.util.List;
import java.util.Map;

/** {@link ObjectMeta}. */
final class ObjectMetaAdapter extends RecordAdapter<ObjectMeta> {

    static final ObjectMetaAdapter INSTANCE = new ObjectMetaAdapter();

    private ObjectMetaAdapter() {
        super(
                "name",
                "generateName",
                "namespace",
                "uid",
                "resourceVersion",
                "generation",
                "creationTimestamp",
                "deletionTimestamp",
                "deletionGracePeriodSeconds",
                "labels",
                "annotations",
                "ownerReferences",
                "finalizers");
    }

    @Override
    protected ObjectMeta read(RecordReader in) {
        String name = "";
        String generateName = "";
        String namespace = "";
        String uid = "";
        String resourceVersion = "";
        long generation = 0;
        Time creationTimestamp = null;
        Time deletionTimestamp = null;
        Long deletionGracePeriodSeconds = null;
        Map<String, String> labels = Map.of();
        Map<String, String> annotations = Map.of();
        List<OwnerReference> ownerReferences = List.of();
        List<String> finalizers = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "name" -> name = in.string();
                case "generateName" -> generateName = in.sharedString();
                case "namespace" -> namespace = in.sharedString();
                case "uid" -> uid = in.string();
                case "resourceVersion" -> resourceVersion = in.string();
                case "generation" -> generation = in.longInteger();
                case "creationTimestamp" -> creationTimestamp = in.time();
                case "deletionTimestamp" -> deletionTimestamp = in.time();
                case "deletionGracePeriodSeconds" -> deletionGracePeriodSeconds = in.nullableLong();
                case "labels" -> labels = in.sharedStringMap();
                case "annotations" -> annotations = in.stringMap();
                case "ownerReferences" -> ownerReferences = in.list(OwnerReferenceAdapter.INSTANCE);
                case "finalizers" -> finalizers = in.sharedStrings();
                default -> throw in.unexpected(member);
            }
        }
        return new ObjectMeta(
                name,
                generateName,
                namespace,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                labels,
                annotations,
                ownerReferences,
                finalizers,
                in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ObjectMeta value) {
        out.string("name", value.name());
        out.string("generateName", value.generateName());
        out.string("namespace", value.namespace());
        out.string("uid", value.uid());
        out.string("resourceVersion", value.resourceVersion());
        out.integer("generation", value.generation());
        out.text("creationTimestamp", value.creationTimestamp());
        out.text("deletionTimestamp", value.deletionTimestamp());
        out.nullable("deletionGracePeriodSeconds", value.deletionGracePeriodSeconds());
        out.stringMap("labels", value.labels());
        out.stringMap("annotations", value.annotations());
        out.list("ownerReferences", OwnerReferenceAdapter.INSTANCE, value.ownerReferences());
        out.strings("finalizers", value.finalizers());
    }

    @Override
    protected UnknownFields unknownFields(ObjectMeta value) {
        return value.unknownFields();
    }
}
