package io.holdfast.schemas.ledger;

/** A key of the model topic: {@code m/segment/<sha256>}, {@code m/version/<n>}, {@code m/head}. */
@SuppressWarnings("DoNotCallSuggester")
public sealed interface LedgerKey {
  String model();

  record SegmentKey(String model, Digest digest) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/segment/" + digest;
    }
  }

  record VersionKey(String model, long version) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/version/" + version;
    }
  }

  record HeadKey(String model) implements LedgerKey {
    @Override
    public String toString() {
      return model + "/head";
    }
  }

  /**
   * The key that {@code text} spells.
   *
   * @throws IllegalArgumentException if it spells none
   */
  static LedgerKey parse(String text) {
    throw new IllegalArgumentException("SKELETON " + text);
  }
}
