package io.holdfast.faults;

/** How much of everything a run does: 1, a sample, in the normal build; 100 with -Pfaults. */
public final class Scale {
  private static final int PERCENT = Integer.getInteger("holdfast.faults.scale", 1);

  private Scale() {}

  /** How many of what the long run has so many of; one at least. */
  public static int of(int whole) {
    return Math.max(1, (int) ((long) whole * PERCENT / 100));
  }

  /** Whether this is more than a sample. */
  public static boolean large() {
    return PERCENT > 1;
  }
}
