package io.holdfast.schemas.ledger;

import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of one kind, segments, bins or references, of one model that a version names by their
 * digest or may yet name. Not thread-safe.
 */
final class PieceStore<T> {
  /*
   * Pieces come before the manifest that names them. They stay as bytes until a version that is to
   * serve needs what they hold, and are then decoded once for all versions. `names` counts how often
   * manifests held name a digest; what none names is kept in order of arrival up to a bound.
   */
  private final long maxUnnamedBytes;
  private final Decoding<T> decoding;
  private final Map<Digest, Held<T>> unnamed = new LinkedHashMap<>();
  private final Map<Digest, Held<T>> named = new HashMap<>();
  private final Map<Digest, Integer> names = new HashMap<>();
  private long unnamedBytes;

  /** What the bytes hold. */
  @FunctionalInterface
  interface Decoding<T> {
    T decode(byte[] bytes) throws LedgerException;
  }

  private static final class Held<T> {
    private final int size;
    private byte @Nullable [] bytes;
    private @Nullable T piece;

    Held(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
    }

    @Nullable T piece(Decoding<T> decoding) throws LedgerException {
      if (piece == null && bytes != null) {
        piece = decoding.decode(bytes);
        bytes = null;
      }
      return piece;
    }
  }

  PieceStore(long maxUnnamedBytes, Decoding<T> decoding) {
    this.maxUnnamedBytes = maxUnnamedBytes;
    this.decoding = decoding;
  }

  /** Takes a record whose bytes have the digest. */
  void put(Digest digest, byte[] bytes) {
    if (named.containsKey(digest) || unnamed.containsKey(digest)) {
      return; // The same bytes: what is there may be decoded and shared already.
    }
    if (names.containsKey(digest)) {
      named.put(digest, new Held<>(bytes));
    } else {
      keepUnnamed(digest, new Held<>(bytes));
    }
  }

  void remove(Digest digest) {
    named.remove(digest);
    Held<T> held = unnamed.remove(digest);
    unnamedBytes -= held == null ? 0 : held.size;
  }

  /** Notes that a manifest is held that names these. */
  void name(List<Digest> digests) {
    for (Digest digest : digests) {
      if (names.merge(digest, 1, Integer::sum) == 1) {
        Held<T> held = unnamed.remove(digest);
        if (held != null) {
          unnamedBytes -= held.size;
          named.put(digest, held);
        }
      }
    }
  }

  /** Notes that such a manifest is held no longer; what it alone named is dropped. */
  void unname(List<Digest> digests) {
    for (Digest digest : digests) {
      if (names.merge(digest, -1, Integer::sum) == 0) {
        names.remove(digest);
        named.remove(digest);
      }
    }
  }

  boolean has(Digest digest) {
    return named.containsKey(digest);
  }

  /** What a manifest names; null if it is not there. */
  @Nullable T find(Digest digest) throws LedgerException {
    Held<T> held = named.get(digest);
    return held == null ? null : held.piece(decoding);
  }

  int size() {
    return named.size() + unnamed.size();
  }

  private void keepUnnamed(Digest digest, Held<T> held) {
    unnamed.put(digest, held);
    unnamedBytes += held.size;
    Iterator<Held<T>> oldest = unnamed.values().iterator();
    while (unnamedBytes > maxUnnamedBytes && oldest.hasNext()) {
      unnamedBytes -= oldest.next().size;
      oldest.remove();
    }
  }
}
