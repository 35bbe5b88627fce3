package io.holdfast.boosting.histogram;

/**
 * The rows that a tree's splits are found for. Read while nobody writes.
 *
 * @param rows their numbers, ascending as long as the tree has one leaf
 * @param size how many of the numbers are meant
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: a view of the rows by leaf
public record RowSample(int[] rows, int size) {}
