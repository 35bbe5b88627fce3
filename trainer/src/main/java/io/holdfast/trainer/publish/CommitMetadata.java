package io.holdfast.trainer.publish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metadata of a committed offset, {@code window=12 version=9 since=88 time=1764028800000}, so
 * that a window without a version leaves its number behind, and where such windows begin.
 *
 * <p>Earlier programs wrote no time, and {@code memory=88}, the first offset that they remembered:
 * the windows without a version begin there or later, as the newest version's manifest says.
 *
 * @param window the number of the window that ended at the offset
 * @param version the highest version number then
 * @param since where the windows without a version since then begin in the partition
 * @param time when the window's newest example was written; {@link Long#MIN_VALUE} if unknown
 */
public record CommitMetadata(long window, long version, long since, long time) {
  private static final Pattern TEXT =
      Pattern.compile(
          "window=(\\d{1,18}) version=(\\d{1,18}) (?:since|memory)=(\\d{1,18})"
              + "(?: time=(\\d{1,18}))?");

  /** Empty if something else wrote the text. */
  public static Optional<CommitMetadata> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new CommitMetadata(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                matcher.group(4) == null ? Long.MIN_VALUE : Long.parseLong(matcher.group(4))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "window="
        + window
        + " version="
        + version
        + " since="
        + since
        + (time < 0 ? "" : " time=" + time);
  }
}
