package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerLimits;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records of one kind and model that versions name, or may yet name, by their digest. */
final class PieceStore<T> {
  /*
   * Pieces come before the manifest that names them. They stay as bytes until a version that is to
   * serve needs what they hold, and are then decoded once for all versions. `names` counts how often
   * manifests held name a digest; what none names is kept in order of arrival up to a bound.
   */
  private static final long MAX_UNNAMED_BYTES = 256L << 20;

  private final String what;
  private final String record;
  private final int maxBytes;
  private final Reason missing;
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
    private byte[] bytes;
    private @Nullable T piece;

    Held(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
    }

    /** Takes the same again, unless it is decoded, and may be shared, already. */
    void write(byte[] again) {
      if (piece == null) {
        bytes = again; // the digest is not of the frame, which may have been damaged
      }
    }

    T piece(Decoding<T> decoding) throws LedgerException {
      T known = piece;
      if (known == null) {
        known = decoding.decode(bytes);
        piece = known;
        bytes = new byte[0];
      }
      return known;
    }
  }

  /** A store of a kind, which messages name, of pieces and of the records that hold them. */
  PieceStore(String what, String record, int maxBytes, Reason missing, Decoding<T> decoding) {
    this.what = what;
    this.record = record;
    this.maxBytes = maxBytes;
    this.missing = missing;
    this.decoding = decoding;
  }

  /** Takes a record value. */
  void put(Digest digest, byte[] bytes) throws LedgerException {
    long size = (long) bytes.length - SingleObjectFraming.HEADER_BYTES;
    LedgerLimits.read(size, maxBytes, "the bytes of a " + record);
    Digest actual = LedgerCodec.digest(bytes);
    if (!actual.equals(digest)) {
      throw Reason.HASH_MISMATCH.because(
          "the bytes under %s %s have the hash %s", what, digest, actual);
    }
    Held<T> known = named.containsKey(digest) ? named.get(digest) : unnamed.get(digest);
    if (known != null) {
      known.write(bytes);
      return;
    }
    Held<T> held = new Held<>(bytes);
    if (names.containsKey(digest)) {
      named.put(digest, held);
      return;
    }
    unnamed.put(digest, held);
    unnamedBytes += held.size;
    Iterator<Held<T>> oldest = unnamed.values().iterator();
    while (unnamedBytes > MAX_UNNAMED_BYTES && oldest.hasNext()) {
      unnamedBytes -= oldest.next().size;
      oldest.remove();
    }
  }

  void remove(Digest digest) {
    named.remove(digest);
    Held<T> held = unnamed.remove(digest);
    unnamedBytes -= held == null ? 0 : held.size;
  }

  /** Notes that a manifest is held that names a piece. */
  void name(Digest digest) {
    if (names.merge(digest, 1, Integer::sum) == 1) {
      Held<T> held = unnamed.remove(digest);
      if (held != null) {
        unnamedBytes -= held.size;
        named.put(digest, held);
      }
    }
  }

  /** Notes that such a manifest is held no longer; what it alone named is dropped. */
  void unname(Digest digest) {
    if (names.merge(digest, -1, Integer::sum) == 0) {
      names.remove(digest);
      named.remove(digest);
    }
  }

  /** Refuses a version that names what is not there. */
  void require(ModelManifest by, Digest digest) throws LedgerException {
    if (!named.containsKey(digest)) {
      throw missing.because(
          "version %d of %s lacks its %s %s", by.getVersion(), by.getModel(), what, digest);
    }
  }

  /** What a version names. */
  T find(ModelManifest by, Digest digest) throws LedgerException {
    require(by, digest);
    return Objects.requireNonNull(named.get(digest)).piece(decoding);
  }

  int size() {
    return named.size() + unnamed.size();
  }
}
