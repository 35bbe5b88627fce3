package io.holdfast.bench.data;

import java.util.Set;

/**
 * The shared data sets, with the roles of their columns. {@code label} is the label, {@code env}
 * the environment; every other column that is not left out is a feature.
 *
 * <p>Left out are: clocks and counters; alternative labels, which leak; the price that the label of
 * {@code electricity} is computed from; the month of {@code forest_fires}, which is its
 * environment.
 */
public enum DataSet {
  BIKES(
      "bike_sharing",
      true,
      Set.of("time", "alt_label_casual_share"),
      Set.of("season", "weathersit")),
  ELECTRICITY("electricity", true, Set.of("time", "nswprice"), Set.of()),
  WINE("wine_quality", false, Set.of(), Set.of()),
  AIR("beijing_air", true, Set.of("time"), Set.of("wd")),
  /** The harder task: without the other pollutants, which all but determine the label. */
  WEATHER("beijing_air", true, Set.of("time", "PM10", "SO2", "NO2", "CO", "O3"), Set.of("wd")),
  COVER("covertype", false, Set.of(), Set.of("soil_type")),
  TURBINE("gas_turbine", true, Set.of("seq", "alt_label_CO"), Set.of()),
  FIRES("forest_fires", false, Set.of("month"), Set.of("weekday"));

  private final String file;
  private final boolean ordered;
  private final Set<String> leftOut;
  private final Set<String> categorical;

  DataSet(String file, boolean ordered, Set<String> leftOut, Set<String> categorical) {
    this.file = file + ".csv.gz";
    this.ordered = ordered;
    this.leftOut = leftOut;
    this.categorical = categorical;
  }

  /** The file's name. */
  public String file() {
    return file;
  }

  /** Whether rows are in order of time. */
  public boolean ordered() {
    return ordered;
  }

  /** Columns that are no features, beside label and environment. */
  Set<String> leftOut() {
    return leftOut;
  }

  /** Features whose values are names, whatever they look like. */
  Set<String> categorical() {
    return categorical;
  }
}
