package io.kubeloop.json;

import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.UnknownFields;

/** {@link OwnerReference}. */
final class OwnerReferenceAdapter extends RecordAdapter<OwnerReference> {

    static final OwnerReferenceAdapter INSTANCE = new OwnerReferenceAdapter();

    private OwnerReferenceAdapter() {
        super("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion");
    }

    @Override
    protected OwnerReference read(RecordReader in) {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        Boolean controller = null;
        Boolean blockOwnerDeletion = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "apiVersion" -> apiVersion = in.sharedString();
                case "kind" -> kind = in.sharedString();
                case "name" -> name = in.sharedString();
                case "uid" -> uid = in.sharedString();
                case "controller" -> controller = in.nullableBool();
                case "blockOwnerDeletion" -> blockOwnerDeletion = in.nullableBool();
                default -> throw in.unexpected(member);
            }
        }
        return new OwnerReference(apiVersion, kind, name, uid, controller, blockOwnerDeletion, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, OwnerReference value) {
        out.string("apiVersion", value.apiVersion());
        out.string("kind", value.kind());
        out.string("name", value.name());
        out.string("uid", value.uid());
        out.nullable("controller", value.controller());
        out.nullable("blockOwnerDeletion", value.blockOwnerDeletion());
    }

    @Override
    protected UnknownFields unknownFields(OwnerReference value) {
        return value.unknownFields();
    }
}
