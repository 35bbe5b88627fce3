package io.holdfast.boosting.ada;

/**
 * One round of AdaBoost.
 *
 * @param error the weight of the rows that the round's tree gets wrong, of a total of 1
 * @param vote α, what the tree counts with; 0 if it was discarded
 * @param gini the Gini impurity that is left in the tree's leaves, by the weights it learned from
 * @param kept whether the tree is part of the model
 */
public record AdaBoostRound(double error, double vote, double gini, boolean kept) {}
