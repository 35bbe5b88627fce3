package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/**
 * Groups of the categories of one feature, by code: what trees test where there are many
 * categories. Immutable; safe to share.
 */
public final class CategoryGroups {
  /** Groups at most. */
  public static final int MOST = 0xFFFF;

  /** The group of a code that has none. */
  public static final int NONE = -1;

  private final char[] groupOf; // by code; MOST if it belongs to none
  private final int count;
  private final int hash;

  /**
   * Groups by code.
   *
   * @param groupOf from 0 to {@code count - 1}, or {@link #NONE}, as for any code beyond
   * @throws IllegalArgumentException in one sentence, if one is neither
   */
  public CategoryGroups(int count, int[] groupOf) {
    Check.that(count >= 1 && count <= MOST, "groups must be 1 to %s: %s", MOST, count);
    this.count = count;
    this.groupOf = new char[groupOf.length];
    for (int code = 0; code < groupOf.length; code++) {
      int group = groupOf[code];
      if (group < NONE || group >= count) {
        Check.that(false, "the group of code %s must be -1 to %s: %s", code, count - 1, group);
      }
      this.groupOf[code] = group == NONE ? (char) MOST : (char) group;
    }
    hash = 31 * count + Arrays.hashCode(this.groupOf);
  }

  /** The number of groups. */
  public int count() {
    return count;
  }

  /** The code after the last that may belong to a group. */
  public int codes() {
    return groupOf.length;
  }

  /** The group of a code that is 0 or more; {@link #NONE} if it belongs to none. */
  public int of(int code) {
    return code < groupOf.length && groupOf[code] != MOST ? groupOf[code] : NONE;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof CategoryGroups that
            && hash == that.hash
            && count == that.count
            && Arrays.equals(groupOf, that.groupOf));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "CategoryGroups[codes=" + codes() + ", groups=" + count + "]";
  }
}
