/**
 * How strong the anchor is: which gamma the next trees are grown with, the leaf values that they
 * have for the other gammas of the ladder, and which of them score. The settings, the tip and
 * decoded rows come in from {@code learn}; numbers and models go back to it. Nothing here knows the
 * log or a clock, or keeps state: what is remembered stands in the tip's manifest.
 */
@NullMarked
package io.holdfast.trainer.strength;

import org.jspecify.annotations.NullMarked;
