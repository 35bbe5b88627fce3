package io.holdfast.bench.data;

import java.util.Set;

/**
 * A shared data set, with the roles of its columns: {@code label} is the label, {@code env} the
 * environment; every other column that is not left out is a feature. Immutable.
 *
 * <p>Left out are: clocks and counters; alternative labels, which leak; the price that the label of
 * the electricity market is computed from; the month of a forest fire, which is its environment.
 *
 * @param file the file's name
 * @param ordered whether rows are in order of time
 * @param leftOut columns that are no features, beside label and environment
 * @param categorical features whose values are names, whatever they look like
 */
public record DataSet(String file, boolean ordered, Set<String> leftOut, Set<String> categorical) {
  static final DataSet BIKES =
      new DataSet(
          "bike_sharing.csv.gz",
          true,
          Set.of("time", "alt_label_casual_share"),
          Set.of("season", "weathersit"));
  static final DataSet ELECTRICITY =
      new DataSet("electricity.csv.gz", true, Set.of("time", "nswprice"), Set.of());
  static final DataSet WINE = new DataSet("wine_quality.csv.gz", false, Set.of(), Set.of());
  static final DataSet AIR = new DataSet("beijing_air.csv.gz", true, Set.of("time"), Set.of("wd"));

  /** The harder task: without the other pollutants, which all but determine the label. */
  static final DataSet WEATHER =
      new DataSet(
          "beijing_air.csv.gz",
          true,
          Set.of("time", "PM10", "SO2", "NO2", "CO", "O3"),
          Set.of("wd"));

  static final DataSet COVER =
      new DataSet("covertype.csv.gz", false, Set.of(), Set.of("soil_type"));
  static final DataSet TURBINE =
      new DataSet("gas_turbine.csv.gz", true, Set.of("seq", "alt_label_CO"), Set.of());
  static final DataSet FIRES =
      new DataSet("forest_fires.csv.gz", false, Set.of("month"), Set.of("weekday"));

  public DataSet {
    leftOut = Set.copyOf(leftOut);
    categorical = Set.copyOf(categorical);
  }
}
