/**
 * From a list and a watch to a local, indexed copy, and from there to handlers.
 *
 * <p>Entry type: {@link io.kubeloop.cache.SharedInformerFactory}. What runs on which thread is said by each class.
 */
@NullMarked
package io.kubeloop.cache;

import org.jspecify.annotations.NullMarked;
