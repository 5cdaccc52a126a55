package io.kubeloop.json;

import io.kubeloop.api.LabelSelectorRequirement;
import io.kubeloop.api.UnknownFields;
import java.util.List;

/** {@link LabelSelectorRequirement}. */
final class LabelSelectorRequirementAdapter extends RecordAdapter<LabelSelectorRequirement> {

    static final LabelSelectorRequirementAdapter INSTANCE = new LabelSelectorRequirementAdapter();

    private LabelSelectorRequirementAdapter() {
        super("key", "operator", "values");
    }

    @Override
    protected LabelSelectorRequirement read(RecordReader in) {
        String key = "";
        String operator = "";
        List<String> values = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "key" -> key = in.sharedString();
                case "operator" -> operator = in.sharedString();
                case "values" -> values = in.sharedStrings();
                default -> throw in.unexpected(member);
            }
        }
        return new LabelSelectorRequirement(key, operator, values, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, LabelSelectorRequirement value) {
        out.string("key", value.key());
        out.string("operator", value.operator());
        out.strings("values", value.values());
    }

    @Override
    protected UnknownFields unknownFields(LabelSelectorRequirement value) {
        return value.unknownFields();
    }
}
