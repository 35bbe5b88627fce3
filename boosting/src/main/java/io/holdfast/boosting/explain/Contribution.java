package io.holdfast.boosting.explain;

/**
 * What one feature adds to a raw score of one row.
 *
 * @param feature the feature's name
 * @param value the row's value of it: a number, or the code of a category; NaN if missing
 * @param amount in units of the raw score
 */
public record Contribution(String feature, double value, double amount) {}
