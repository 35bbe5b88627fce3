package io.holdfast.trainer.expect;

import io.holdfast.schemas.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What came of the expectations of the newest windows. Immutable; as text {@code
 * accuracy,logLoss;0.81;0.01,0.02,0.01,0.05,0.4,1.2;...}, whose figures are floats.
 *
 * @param names of the figures with a range, the first of which decides between two estimates
 * @param cameLast the first figure of the last window; NaN of none
 */
public record Trials(List<String> names, double cameLast, List<Trial> trials) {
  /** Of no window. */
  public static final Trials NONE = new Trials(List.of(), Double.NaN, List.of());

  private static final int MOST = 20; // windows
  private static final int ENOUGH = 10; // of them, to say what the estimate is worth
  private static final double WIDEST = 20; // times a range: one window is not all
  private static final double UNLIKE = 0.06; // of the past rows
  private static final int FIGURES = 4; // of a trial, without those by name
  private static final String LABELS_CHANGE = "labels no longer depend on features as they did.";

  public Trials {
    names = List.copyOf(names);
    trials = List.copyOf(trials);
  }

  /**
   * How far off, by the first figure, both estimates were, the chosen one, and the figure of the
   * window before; and by each name how many times as far as the chosen one's range goes.
   */
  public record Trial(
      double equalOff, double alikeOff, double chosenOff, double lastOff, List<Double> beyond) {
    public Trial {
      beyond = List.copyOf(beyond);
    }

    private Stream<Double> figures() {
      return Stream.concat(Stream.of(equalOff, alikeOff, chosenOff, lastOff), beyond.stream());
    }
  }

  /** With one window more, of which these metrics came. */
  public Trials plus(Outlook outlook, Map<String, Double> metrics) {
    Estimate chosen = outlook.chosen(this);
    if (chosen.ranges().isEmpty()) {
      return this;
    }
    String first = chosen.ranges().containsKey("accuracy") ? "accuracy" : "rmse";
    List<String> now =
        Stream.concat(
                Stream.of(first),
                chosen.ranges().keySet().stream().filter(name -> !name.equals(first)))
            .toList();
    double came = metrics.getOrDefault(first, Double.NaN);
    if (!Double.isFinite(came)) {
      return this;
    }
    if (!now.equals(names)) {
      return new Trials(now, (float) came, List.of());
    }
    List<Trial> more =
        new ArrayList<>(trials.subList(Math.max(0, trials.size() - MOST + 1), size()));
    more.add(
        new Trial(
            (float) outlook.equal().off(first, came),
            (float) outlook.alike().off(first, came),
            (float) chosen.off(first, came),
            (float) Math.abs(came - cameLast),
            now.stream().map(name -> beyond(chosen, name, metrics)).toList()));
    return new Trials(now, (float) came, more);
  }

  private static double beyond(Estimate estimate, String name, Map<String, Double> metrics) {
    double times = estimate.beyond(name, metrics.getOrDefault(name, Double.NaN));
    return (float) Math.min(WIDEST, times);
  }

  private int size() {
    return trials.size();
  }

  /** Whether rows like the window's told more than all alike. */
  boolean alikeIsBetter() {
    return mean(Trial::alikeOff) <= mean(Trial::equalOff);
  }

  /** The greatest of the last errors is within: of 20, one in 21 to come is beyond. */
  double widening(String name) {
    int at = names.indexOf(name);
    return at < 0
        ? 1
        : trials.stream()
            .mapToDouble(trial -> trial.beyond.get(at))
            .filter(times -> times > 1) // not NaN
            .max()
            .orElse(1);
  }

  /** Why an estimate by rows, of which so many are like the window's, is worth little, if it is. */
  @Nullable String doubt(double like, int rows) {
    if (like < UNLIKE * rows) {
      return Sentence.of(
          "Hardly any row with a label is like the newest ones: they count as much as %.0f of %d.",
          like, rows);
    }
    if (size() < ENOUGH) {
      return null;
    }
    double off = mean(Trial::chosenOff);
    double lastOff = mean(Trial::lastOff);
    if (off > lastOff) {
      return Sentence.of(
          "In the last %d windows it was off by %.3g, the figure of the window before by %.3g: %s",
          size(), off, lastOff, LABELS_CHANGE);
    }
    long outside = trials.stream().filter(trial -> trial.beyond.getFirst() > 1).count();
    return 2 * outside <= size()
        ? null
        : Sentence.of(
            "In %d of the last %d windows what came was outside the range that rows gave: %s",
            outside, size(), LABELS_CHANGE);
  }

  private double mean(ToDoubleFunction<Trial> figure) {
    return trials.stream().mapToDouble(figure).average().orElse(0);
  }

  /** Empty if something else wrote the text. */
  public static Optional<Trials> parse(String text) {
    String[] parts = text.split(";", -1);
    try {
      List<String> names = List.of(parts[0].split(",", -1));
      List<Trial> trials = new ArrayList<>();
      for (int at = 2; at < parts.length; at++) {
        List<Double> figures = Stream.of(parts[at].split(",", -1)).map(Trials::figure).toList();
        if (figures.size() != FIGURES + names.size()) {
          return Optional.empty();
        }
        trials.add(
            new Trial(
                figures.get(0),
                figures.get(1),
                figures.get(2),
                figures.get(3),
                figures.subList(FIGURES, figures.size())));
      }
      return parts.length < 2
          ? Optional.empty()
          : Optional.of(new Trials(names, figure(parts[1]), trials));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    Stream<String> each =
        trials.stream()
            .map(trial -> trial.figures().map(Trials::text).collect(Collectors.joining(",")));
    return Stream.concat(Stream.of(String.join(",", names), text(cameLast)), each)
        .collect(Collectors.joining(";"));
  }

  private static String text(double figure) {
    return Float.toString((float) figure);
  }

  private static double figure(String text) {
    return Float.parseFloat(text);
  }
}
