package io.holdfast.schemas.version;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bins or a reference as a version names them.
 *
 * @param piece null if there is none
 * @param body what is to be written; null if it is on the topic
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record PublishedPiece<T>(@Nullable T piece, @Nullable Digest digest, byte @Nullable [] body) {
  /**
   * The parent's piece is named, another written.
   *
   * @param named what the parent names; null if that is nothing
   * @param same whether this is known to be the parent's
   */
  static <T> PublishedPiece<T> of(
      T piece, @Nullable Digest named, boolean same, Supplier<byte[]> encoding) {
    if (same && named != null) {
      return new PublishedPiece<>(piece, named, null);
    }
    byte[] body = encoding.get();
    Digest digest = Digest.of(body);
    return new PublishedPiece<>(piece, digest, digest.equals(named) ? null : body);
  }

  static <T> PublishedPiece<T> none() {
    return new PublishedPiece<>(null, null, null);
  }
}
