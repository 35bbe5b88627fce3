package io.holdfast.trainer.publish;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a committed offset says beside itself, so that a window that published no version still
 * leaves its number behind, and where such windows begin: {@code window=12 version=9 since=88
 * time=1764028800000}.
 *
 * <p>Earlier programs wrote {@code memory=88}, the first offset that they remembered. What was read
 * since the newest version begins there or later, and that version's manifest says where. They
 * wrote no time.
 *
 * @param window the number of the window that ended at the offset
 * @param version the highest version number there was then
 * @param since where the windows begin in the partition that came to no version since that one
 * @param time when the newest example of the window was written; {@link Long#MIN_VALUE} if that is
 *     not known
 */
public record CommitMetadata(long window, long version, long since, long time) {
  private static final Pattern TEXT =
      Pattern.compile(
          "window=(\\d{1,18}) version=(\\d{1,18}) (?:since|memory)=(\\d{1,18})"
              + "(?: time=(\\d{1,18}))?");

  /** The metadata that {@code text} spells; empty if something else wrote it. */
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
