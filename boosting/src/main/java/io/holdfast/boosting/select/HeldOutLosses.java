package io.holdfast.boosting.select;

import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.select.GammaChoice.Trial;
import java.util.List;
import java.util.stream.IntStream;

/** What each gamma lost on each environment held out, round by round. Immutable. */
public final class HeldOutLosses {
  private final List<Double> gammas;
  private final List<String> environments;
  private final List<double[][]> losses; // of a gamma, by round and environment

  HeldOutLosses(List<Double> gammas, List<String> environments, List<double[][]> losses) {
    this.gammas = gammas;
    this.environments = environments;
    this.losses = losses;
  }

  public List<Double> gammas() {
    return gammas;
  }

  /** Those held out; none if there were too few. */
  public List<String> environments() {
    return environments;
  }

  public int rounds() {
    return losses.getFirst().length - 1;
  }

  /**
   * The mean excess loss ({@code Objective.excessLoss}) of an environment held out.
   *
   * @param gamma its place in {@link #gammas()}
   * @param round 0 for the base alone
   * @param environment its place in {@link #environments()}
   */
  public double loss(int gamma, int round, int environment) {
    return losses.get(gamma)[round][environment];
  }

  /**
   * The gamma of the lowest figure; of equal ones the nearest to 1, then the lower. If nothing was
   * held out it is 1.
   *
   * @param choosesRounds whether each candidate is judged by the rounds, 1 or more, that give it
   *     its lowest figure (of equal ones the fewest), or by all of them
   */
  public GammaChoice choose(Criterion criterion, boolean choosesRounds) {
    if (environments.isEmpty()) {
      return new GammaChoice(1, rounds(), List.of());
    }
    List<Trial> trials =
        IntStream.range(0, gammas.size())
            .mapToObj(gamma -> trial(gamma, criterion, choosesRounds))
            .toList();
    Trial best = trials.getFirst();
    for (Trial trial : trials) {
      int order = Double.compare(trial.risk(), best.risk()); // NaN comes last
      if (order < 0 || (order == 0 && Math.abs(trial.gamma() - 1) < Math.abs(best.gamma() - 1))) {
        best = trial;
      }
    }
    return new GammaChoice(best.gamma(), best.rounds(), trials);
  }

  private Trial trial(int gamma, Criterion criterion, boolean choosesRounds) {
    double[][] byRound = losses.get(gamma);
    int rounds = rounds();
    double risk = criterion.of(byRound[rounds]);
    for (int round = rounds - 1; choosesRounds && round >= 1; round--) {
      double earlier = criterion.of(byRound[round]);
      if (Double.compare(earlier, risk) <= 0) {
        risk = earlier;
        rounds = round;
      }
    }
    return new Trial(gammas.get(gamma), rounds, criterion, byRound[rounds]);
  }
}
