package io.kubeloop.json;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.LabelSelectorRequirement;
import io.kubeloop.api.UnknownFields;
import java.util.List;
import java.util.Map;

/** {@link LabelSelector}. */
final class LabelSelectorAdapter extends RecordAdapter<LabelSelector> {

    static final LabelSelectorAdapter INSTANCE = new LabelSelectorAdapter();

    private LabelSelectorAdapter() {
        super("matchLabels", "matchExpressions");
    }

    @Override
    protected LabelSelector read(RecordReader in) {
        Map<String, String> matchLabels = Map.of();
        List<LabelSelectorRequirement> matchExpressions = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "matchLabels" -> matchLabels = in.sharedStringMap();
                case "matchExpressions" -> matchExpressions = in.list(LabelSelectorRequirementAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new LabelSelector(matchLabels, matchExpressions, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, LabelSelector value) {
        out.stringMap("matchLabels", value.matchLabels());
        out.list("matchExpressions", LabelSelectorRequirementAdapter.INSTANCE, value.matchExpressions());
    }

    @Override
    protected UnknownFields unknownFields(LabelSelector value) {
        return value.unknownFields();
    }
}
