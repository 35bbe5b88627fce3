/**
 * Lays a load out over instances and brokers by measured costs, and says which limit is met first.
 */
@NullMarked
package io.holdfast.bench.capacity;

import org.jspecify.annotations.NullMarked;
