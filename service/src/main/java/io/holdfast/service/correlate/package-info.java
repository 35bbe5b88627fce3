/**
 * Takes records and labels as bytes. Gives the id that a label and its record have in common, and
 * what scoring and the reading of labels hand to the join, with its bytes. Knows nothing of
 * topologies, state or models.
 */
@NullMarked
package io.holdfast.service.correlate;

import org.jspecify.annotations.NullMarked;
