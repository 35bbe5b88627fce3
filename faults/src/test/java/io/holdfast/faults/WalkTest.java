package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.faults.Deployment.Shape;
import io.holdfast.faults.Walk.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WalkTest {
  private static final Shape SHAPE = new Shape(3, 3, 2, 3, 1);

  @Test
  void walk_ofASeed_isAlwaysTheSameAndHasEveryFault() {
    List<Step> steps = Walk.draw(5, 300, SHAPE);
    assertThat(steps).hasSize(300).isEqualTo(Walk.draw(5, 300, SHAPE));
    assertThat(steps.stream().map(Step::fault)).contains(Walk.FAULTS.toArray(Fault[]::new));
    assertThat(Walk.draw(6, 300, SHAPE)).isNotEqualTo(steps);
  }

  @Test
  void walk_strikesNothingThatIsStruck() {
    Set<String> open = new HashSet<>();
    for (Step step : Walk.draw(7, 300, SHAPE)) {
      String what = step.fault().part() + " " + step.which();
      assertThat(step.begins() ? open.add(what) : open.remove(what)).as("%s", step).isTrue();
    }
  }

  @Test
  void failing_shrinksToWhatMakesItFail() {
    List<Integer> all = IntStream.range(0, 300).boxed().toList();
    assertThat(Walk.shrink(all, some -> some.containsAll(List.of(17, 230))))
        .containsExactly(17, 230);
  }
}
