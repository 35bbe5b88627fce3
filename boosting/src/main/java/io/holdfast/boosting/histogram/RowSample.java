package io.holdfast.boosting.histogram;

/** The first {@code size} of {@code rows} are what a tree's splits are found for; ascending. */
@SuppressWarnings("ArrayRecordComponent") // never compared: a view of the rows by leaf
public record RowSample(int[] rows, int size) {}
