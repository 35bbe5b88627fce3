package io.holdfast.cli.options;

import io.holdfast.cli.data.FileHeader;
import io.holdfast.schemas.Suggestion;

/** Columns that flags name. Stateless. */
public final class Columns {
  private Columns() {}

  /**
   * The field that holds a column of a file.
   *
   * @param flag the flag that names it
   * @throws CommandException if there is no such column
   */
  public static String field(FileHeader data, String column, String flag) {
    return data.field(column)
        .orElseThrow(
            () ->
                CommandException.usage(
                    "%s names column %s, which %s does not have%s; it has %s",
                    flag,
                    column,
                    data.path(),
                    Suggestion.closest(column, data.columns())
                        .map(close -> " (did you mean " + close + "?)")
                        .orElse(""),
                    String.join(", ", data.columns())));
  }
}
