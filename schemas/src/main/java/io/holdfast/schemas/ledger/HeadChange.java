package io.holdfast.schemas.ledger;

import io.holdfast.schemas.version.Digest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked of a model's head; {@link HeadRules} says what becomes of it. Immutable. */
public sealed interface HeadChange {

  /**
   * A new version was trained from the tip; unless the gate lets it serve, it waits to be promoted.
   */
  record Trained(long version, Digest hash, boolean serves) implements HeadChange {}

  /**
   * A version was trained again without rows that are to be forgotten.
   *
   * @param gone the versions that learned from them, and leave
   */
  record Retrained(long version, Digest hash, Set<Long> gone) implements HeadChange {
    public Retrained {
      gone = Set.copyOf(gone);
    }
  }

  /** A version from elsewhere was appended to the tip. */
  record Imported(long version, Digest hash) implements HeadChange {}

  /** The tip served, and does so as a version of its own with another rung's leaf values. */
  record Climbed(long version, Digest hash) implements HeadChange {}

  /** That version serves again, and training grows from it. */
  record RolledBack(long version) implements HeadChange {}

  /** That version serves until it is unpinned, whatever is trained meanwhile. */
  record Pinned(long version) implements HeadChange {}

  /** Training moves the serving version again. */
  record Unpinned() implements HeadChange {}

  /**
   * That version scores beside the one that serves.
   *
   * @param promoteError the rate of errors by which the trainer is to promote it once it is shown
   *     to be better; null if it is not to
   */
  record Shadowed(long version, @Nullable Double promoteError) implements HeadChange {
    public Shadowed(long version) {
      this(version, null);
    }
  }

  /** No version scores beside the one that serves any more. */
  record Unshadowed() implements HeadChange {}

  /** The head stays: something else was done, which its history tells. */
  record Noted() implements HeadChange {}

  /** That version serves; training goes on where it is if it grew from it, else from it. */
  record Promoted(long version) implements HeadChange {}
}
