/**
 * Judges what is on a model's topics by what {@code docs/formats.md} and {@code docs/values.md}
 * say, sharing no code with the programs that wrote it: its own decoder, its own walk of the trees,
 * its own reading of the model topic.
 */
@NullMarked
package io.holdfast.auditor;

import org.jspecify.annotations.NullMarked;
