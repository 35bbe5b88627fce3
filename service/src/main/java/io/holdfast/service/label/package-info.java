/**
 * Takes records and labels as bytes of a known schema. Gives the label, environment and weight of a
 * row, the encoded example, and the counts of what became of labels. Knows nothing of topologies,
 * state or trees.
 */
@NullMarked
package io.holdfast.service.label;

import org.jspecify.annotations.NullMarked;
