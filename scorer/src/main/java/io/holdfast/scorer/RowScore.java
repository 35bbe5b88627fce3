package io.holdfast.scorer;

import org.jspecify.annotations.Nullable;

/**
 * What one version says of one row.
 *
 * @param version the version's number
 * @param prediction a mean, the probability of label 1, or the likeliest of several classes
 * @param probabilities of each class; none where labels are numbers
 * @param label the name of the likeliest class; null where classes have no names
 * @param rawScores the sums of the trees, before the link
 */
@SuppressWarnings("ArrayRecordComponent") // made for one row; never compared
public record RowScore(
    long version,
    double prediction,
    double[] probabilities,
    @Nullable String label,
    double[] rawScores) {}
