package io.kubeloop.apiserver.customresources.rules;

import io.kubeloop.apiserver.customresources.schema.FieldProblem;
import java.util.List;

/**
 * The violations of rules by a value.
 *
 * @param problems those that reject the write
 * @param warnings those of unchanged parts, as warnings
 */
public record RuleResult(List<FieldProblem> problems, List<String> warnings) {}
