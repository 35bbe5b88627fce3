package io.holdfast.trainer.window;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Draws rows without dice: each place of the log has a fixed number, spread evenly over all longs,
 * and those with the lowest numbers are drawn. Immutable.
 */
public final class RowPriority {
  /*
   * The number is SipHash-2-4 of (partition, offset). Its key is the first 16 bytes of the SHA-256 of
   * "seed/model/purpose": so models that read one topic draw other rows, and what is drawn for one
   * purpose says nothing of what is drawn for another.
   */
  private final long key0;
  private final long key1;

  private RowPriority(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** The numbers of {@code model} for {@code purpose}, a word. */
  public static RowPriority of(ModelSettings model, String purpose) {
    String text = model.booster().seed() + "/" + model.name() + "/" + purpose;
    ByteBuffer digest =
        ByteBuffer.wrap(Digest.of(text.getBytes(StandardCharsets.UTF_8)).bytes())
            .order(ByteOrder.LITTLE_ENDIAN);
    return new RowPriority(digest.getLong(), digest.getLong());
  }

  /** The place's number; compare as signed. */
  public long of(Position position) {
    return SipHash.of(key0, key1, position.partition(), position.offset());
  }

  /** Whether the place is among the given share, from 0 to 1, of all places. */
  public boolean within(double share, Position position) {
    // 53 bits, as many as a double counts exactly: from 0 up to but not including 1.
    return (of(position) >>> 11) * 0x1.0p-53 < share;
  }
}
