package io.holdfast.schemas.ledger;

import io.holdfast.schemas.version.Digest;

/** What is asked of a model's head; {@link HeadRules} says what becomes of it. Immutable. */
public sealed interface HeadChange {

  /**
   * A new version was trained from the tip; unless the gate lets it serve, it waits to be promoted.
   */
  record Trained(long version, Digest hash, boolean serves) implements HeadChange {}

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

  /** That version scores beside the one that serves. */
  record Shadowed(long version) implements HeadChange {}

  /** No version scores beside the one that serves any more. */
  record Unshadowed() implements HeadChange {}

  /** That version serves; training goes on where it is if it grew from it, else from it. */
  record Promoted(long version) implements HeadChange {}
}
