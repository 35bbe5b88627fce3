package io.holdfast.trainer.reason;

import java.util.List;

/**
 * Rows that had more of the rise than others, found on one half of the rows and measured on the
 * other.
 *
 * @param conditions what its rows have in common
 * @param shareBefore the share, by weight, of the rows before
 * @param share that of the window's rows
 * @param effect how much the loss of its rows rose; where features changed, how much higher their
 *     loss is than that of the others
 */
public record Subgroup(
    List<Condition> conditions, double shareBefore, double share, Estimate effect) {
  public Subgroup {
    conditions = List.copyOf(conditions);
  }
}
