package io.holdfast.cli.options;

import io.holdfast.cli.learn.ModelColumns.Leniency;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What a file may lack that is held against a model. */
public final class LeniencyOptions {
  @Option(
      names = "--allow-missing",
      split = ",",
      paramLabel = "COLS",
      hideParamSyntax = true,
      description = "Columns that a file may be without; they count as missing.")
  private List<String> mayLack = new ArrayList<>();

  @Option(
      names = "--allow-unseen",
      split = ",",
      paramLabel = "COL,...",
      hideParamSyntax = true,
      description = "Columns whose categories may nearly all be new.")
  private List<String> mayBeUnseen = new ArrayList<>();

  public Leniency leniency() {
    return Leniency.of(mayLack, mayBeUnseen);
  }
}
