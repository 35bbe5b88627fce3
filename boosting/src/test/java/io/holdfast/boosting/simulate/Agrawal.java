package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Loans by nine facts of an applicant, and ten rules of who gets one. Facts are blurred by 5% of
 * their range after the rule has decided. Agrawal, Imielinski and Swami, "Database mining: a
 * performance perspective", IEEE TKDE 5, 1993.
 */
final class Agrawal implements Concept {
  private static final double BLUR = 0.05;
  private static final int RULES = 10;

  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("salary"),
          new Feature.Numeric("commission"),
          new Feature.Numeric("age"),
          Columns.categorical("elevel", "level", 0, 5),
          Columns.categorical("car", "car", 1, 20),
          Columns.categorical("zipcode", "zipcode", 1, 9),
          new Feature.Numeric("hvalue"),
          new Feature.Numeric("hyears"),
          new Feature.Numeric("loan"));

  private final int rule;

  /** One of the paper's ten rules, from 1. */
  Agrawal(int rule) {
    Check.that(rule >= 1 && rule <= RULES, "AGRAWAL has rules 1 to 10: %s", rule);
    this.rule = rule;
  }

  /** An applicant; money in one currency. */
  private record Applicant(
      double salary,
      double commission,
      int age,
      int education,
      double houseValue,
      int houseYears,
      double loan) {

    double income() {
      return salary + commission;
    }

    /** The paper's three age groups: below 40, below 60, the others. */
    int ageGroup() {
      return age < 40 ? 0 : age < 60 ? 1 : 2;
    }

    double equity() {
      return houseYears >= 20 ? houseValue * (houseYears - 20) / 10 : 0;
    }
  }

  @Override
  public List<Feature> features() {
    return FEATURES;
  }

  @Override
  public int classes() {
    return 2;
  }

  @Override
  public int draw(SplittableRandom random, double[] features) {
    double salary = 20_000 + 130_000 * random.nextDouble();
    double commission = salary >= 75_000 ? 0 : 10_000 + 65_000 * random.nextDouble();
    int age = 20 + random.nextInt(61);
    int education = random.nextInt(5);
    int car = random.nextInt(20);
    int zipcode = random.nextInt(9);
    double areaValue = (9 - zipcode) * 100_000.0;
    double houseValue = areaValue * (0.5 + random.nextDouble());
    int houseYears = 1 + random.nextInt(30);
    double loan = 500_000 * random.nextDouble();
    boolean accepted =
        accepts(new Applicant(salary, commission, age, education, houseValue, houseYears, loan));
    features[0] = blurred(salary, 20_000, 150_000, random);
    features[1] = commission > 0 ? blurred(commission, 10_000, 75_000, random) : 0;
    features[2] = Math.rint(blurred(age, 20, 80, random));
    features[3] = education;
    features[4] = car;
    features[5] = zipcode;
    features[6] = blurred(houseValue, 0.5 * areaValue, 1.5 * areaValue, random);
    features[7] = Math.rint(blurred(houseYears, 1, 30, random));
    features[8] = blurred(loan, 0, 500_000, random);
    return accepted ? 0 : 1;
  }

  private static double blurred(double value, double least, double most, SplittableRandom random) {
    double moved = value + (most - least) * BLUR * (2 * random.nextDouble() - 1);
    return Math.clamp(moved, least, most);
  }

  private boolean accepts(Applicant a) {
    int group = a.ageGroup();
    return switch (rule) {
      case 1 -> group != 1;
      case 2 -> within(a.salary, SALARY[group]);
      case 3 -> a.education >= group && a.education <= group + (group == 0 ? 1 : 2);
      case 4 -> within(a.salary, SALARY[salaryByEducation(group, a.education)]);
      case 5 -> within(a.loan, 100_000 * loanBySalary(group, a.salary), 200_000);
      case 6 -> within(a.income(), SALARY[group]);
      case 7 -> 2 * a.income() / 3 - a.loan / 5 - 20_000 > 0;
      case 8 -> 2 * a.income() / 3 - 5_000 * a.education - 20_000 > 0;
      case 9 -> 2 * a.income() / 3 - 5_000 * a.education - a.loan / 5 - 10_000 > 0;
      default -> 2 * a.income() / 3 - 5_000 * a.education + a.equity() / 5 - 10_000 > 0;
    };
  }

  /** What an age group must earn at least; 50,000 more is the most. */
  private static final double[] SALARY = {50_000, 75_000, 25_000};

  private static boolean within(double salary, double least) {
    return within(salary, least, 50_000);
  }

  private static boolean within(double value, double least, double range) {
    return value >= least && value <= least + range;
  }

  /** Rule 4: the group whose range of salaries counts. */
  private static int salaryByEducation(int group, int education) {
    return switch (group) {
      case 0 -> education <= 1 ? 2 : 0;
      case 1 -> education >= 1 && education <= 3 ? 0 : 1;
      default -> education >= 2 ? 0 : 2;
    };
  }

  /** Rule 5: the least loan, in 100,000. */
  private static int loanBySalary(int group, double salary) {
    boolean within = within(salary, SALARY[group]);
    return switch (group) {
      case 0 -> within ? 1 : 2;
      case 1 -> within ? 2 : 3;
      default -> within ? 3 : 1;
    };
  }
}
