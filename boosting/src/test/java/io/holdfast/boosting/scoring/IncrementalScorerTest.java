package io.holdfast.boosting.scoring;

import static io.holdfast.boosting.scoring.CompiledScorerTest.assertSameBits;
import static io.holdfast.boosting.scoring.CompiledScorerTest.oneByOne;
import static io.holdfast.boosting.scoring.CompiledScorerTest.walked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.scoring.DrawnModels.Shape;
import io.holdfast.boosting.scoring.Vectors.SimdMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IncrementalScorerTest {
  private static final Shape SHAPE = new Shape(8, 1, 200, 31, false, true);

  static List<Shape> shapes() {
    return CompiledScorerTest.shapes().toList();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void score_modelThatFollows_sameBitsAsTreeWalk(Shape shape) {
    for (SimdMode mode : modes()) {
      for (int dropped = 0; dropped < 3; dropped++) {
        Model all = cut(DrawnModels.model(shape, 3));
        int last = Math.max(0, all.segments().size() - 1);
        Model earlier = stretch(all, 0, last);
        Model later = stretch(all, dropped, all.segments().size());
        assertFollows(later, earlier, mode, shape);
        Model shorter = stretch(all, dropped, last);
        assertFollows(shorter, earlier, mode, shape);
      }
    }
  }

  private static void assertFollows(Model model, Model earlier, SimdMode mode, Shape shape) {
    CompiledScorer before = (CompiledScorer) CompiledScorer.of(earlier, mode);
    Scorer extended = IncrementalScorer.of(model, earlier, before);
    if (extended == null) {
      return; // too few trees are shared
    }
    for (int size : new int[] {1, 31, 64, 65, 300, 513}) {
      double[] rows = DrawnModels.rows(shape.width(), size, size);
      double[] expected = walked(model, rows);
      assertSameBits(oneByOne(extended, shape.width(), rows), expected);
      double[] actual = new double[expected.length];
      extended.scores(rows, size, actual);
      assertSameBits(actual, expected);
    }
  }

  @Test
  void modelThatAppends_laysOutOnlyWhatIsNew() {
    Model all = cut(DrawnModels.model(SHAPE, 1));
    Model earlier = stretch(all, 0, all.segments().size() - 1);
    Scorer before = Scorer.of(earlier);

    Scorer extended = Scorer.following(all, earlier, before);

    assertThat(extended).isInstanceOf(IncrementalScorer.class);
    assertThat(extended.bytes() - before.bytes()).isPositive().isLessThan(before.bytes() / 4);
    assertThat(extended.settled()).isInstanceOf(CompiledScorer.class);
    assertThat(before.settled()).isSameAs(before);
    assertThatIllegalArgumentException().isThrownBy(() -> extended.score(new double[7]));
  }

  @Test
  void modelThatSharesLittle_isCompiledAsAWhole() {
    Model all = cut(DrawnModels.model(SHAPE, 1));
    Model earlier = stretch(all, 0, 1);
    Model other = DrawnModels.model(SHAPE, 2);

    assertThat(Scorer.following(all, earlier, Scorer.of(earlier)))
        .isInstanceOf(CompiledScorer.class);
    assertThat(Scorer.following(other, all, Scorer.of(all))).isInstanceOf(CompiledScorer.class);
    Model none = stretch(all, 0, 0);
    assertThat(Scorer.following(none, all, Scorer.of(all))).isInstanceOf(CompiledScorer.class);
    assertThat(Scorer.following(all, none, Scorer.of(none))).isInstanceOf(CompiledScorer.class);
    Model most = stretch(all, 0, all.segments().size() - 1);
    Scorer extended = Scorer.following(all, most, Scorer.of(most));
    assertThat(extended).isInstanceOf(IncrementalScorer.class);
    assertThat(Scorer.following(all, all, extended)).isInstanceOf(CompiledScorer.class);
  }

  @Test
  void otherDecayOrBase_isAnotherModel() {
    Model all = cut(DrawnModels.model(new Shape(8, 1, 200, 31, false, false), 1));
    List<Segment> decayed = new ArrayList<>();
    all.segments().forEach(segment -> decayed.add(new Segment(segment.trees(), 0.25)));
    Model faded = new Model(all.objective(), all.features(), all.base(), decayed);
    Model shifted = new Model(all.objective(), all.features(), Base.constant(17), all.segments());
    double[] rows = DrawnModels.rows(8, 70, 1);

    Scorer ofFaded = Scorer.following(faded, all, Scorer.of(all));
    Scorer ofShifted = Scorer.following(shifted, all, Scorer.of(all));

    assertThat(ofFaded).isInstanceOf(CompiledScorer.class);
    assertThat(ofShifted).isInstanceOf(CompiledScorer.class); // with the whole layout of before
    assertSameBits(oneByOne(ofFaded, 8, rows), walked(faded, rows));
    assertSameBits(oneByOne(ofShifted, 8, rows), walked(shifted, rows));
  }

  /** The same trees in segments of a tenth of them. */
  private static Model cut(Model model) {
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : model.segments()) {
      int size = Math.max(1, model.trees() / 10);
      for (int from = 0; from < segment.trees().size(); from += size) {
        int to = Math.min(from + size, segment.trees().size());
        segments.add(new Segment(segment.trees().subList(from, to), segment.decay()));
      }
    }
    return new Model(model.objective(), model.features(), model.base(), segments);
  }

  private static Model stretch(Model model, int from, int to) {
    return new Model(
        model.objective(),
        model.features(),
        model.base(),
        model.segments().subList(Math.min(from, to), to));
  }

  private static List<SimdMode> modes() {
    return CompiledScorerTest.modes();
  }
}
