/**
 * What the fields of objects must look like, and what stands in those that are left out (upstream: {@code pkg/apis/core/validation},
 * {@code apimachinery/pkg/api/validation}).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.validation.MetaValidation}, the rules for all kinds, or at {@link
 * io.kubeloop.transport.memory.validation.PodSpecRules}, the largest of one. What is called {@code ...Rules} complains into a {@link
 * io.kubeloop.transport.memory.machinery.FieldErrors}; others read what stands in a field, such as {@link
 * io.kubeloop.transport.memory.validation.Amounts}. Rules for services, quotas and limit ranges are beside what else there is to
 * these.
 *
 * <p>Functions of trees: they know no stores and no requests, keep nothing, and may be called from any thread.
 */
@NullMarked
package io.kubeloop.transport.memory.validation;

import org.jspecify.annotations.NullMarked;
