package io.holdfast.auditor;

/**
 * What became of the records of one partition, by offset: 33 bytes each, and their times. Whoever
 * asks for an offset asks {@link #has} before. Owned by one thread.
 */
final class Outcomes {
  private static final int MOST = 60_000_000;
  private static final int BLOCK = 1_024;

  private final long first;
  private final byte[] count;
  private final long[] score; // a digest of what was served; 0 if nothing was
  private final long[] version; // a digest of its hash
  private final long[] key; // of the score, and then of the record's id
  private final long[] value; // 0 if there is no such record
  private final long[] newest; // the time of the newest record of each block of them

  /**
   * For the records between two offsets.
   *
   * @throws IllegalArgumentException if they are too many to be held
   */
  Outcomes(long first, long end) {
    if (end - first > MOST) {
      throw new IllegalArgumentException(
          "a partition has "
              + (end - first)
              + " records to judge, of which an audit takes "
              + MOST
              + ": judge a part of them, by --from and --to");
    }
    this.first = first;
    int size = Math.toIntExact(end - first);
    count = new byte[size];
    score = new long[size];
    version = new long[size];
    key = new long[size];
    value = new long[size];
    newest = new long[size / BLOCK + 1];
  }

  boolean has(long offset) {
    return offset >= first && offset < end();
  }

  long first() {
    return first;
  }

  long end() {
    return first + count.length;
  }

  /** The first offset that has an outcome; the end if none has. */
  long firstOutcome() {
    int at = 0;
    while (at < count.length && count[at] == 0) {
      at++;
    }
    return first + at;
  }

  private int at(long offset) {
    return (int) (offset - first);
  }

  void letter(long offset) {
    count[at(offset)] = (byte) Math.min(Byte.MAX_VALUE, count[at(offset)] + 1);
  }

  void scored(long offset, long digest, long ofVersion, long ofKey) {
    letter(offset);
    score[at(offset)] = digest;
    version[at(offset)] = ofVersion;
    key[at(offset)] = ofKey;
  }

  void record(long offset, long time, long ofId, long ofValue) {
    int block = at(offset) / BLOCK;
    newest[block] = Math.max(newest[block], time);
    key[at(offset)] = ofId;
    value[at(offset)] = ofValue;
  }

  /** The time of the newest record; 0 if there is none. */
  long newest() {
    return java.util.Arrays.stream(newest).max().orElse(0);
  }

  /** Whether a record and those beside it are older than that. */
  boolean before(long offset, long time) {
    return newest[at(offset) / BLOCK] < time;
  }

  int count(long offset) {
    return count[at(offset)];
  }

  long score(long offset) {
    return score[at(offset)];
  }

  long version(long offset) {
    return version[at(offset)];
  }

  long key(long offset) {
    return key[at(offset)];
  }

  long value(long offset) {
    return value[at(offset)];
  }
}
