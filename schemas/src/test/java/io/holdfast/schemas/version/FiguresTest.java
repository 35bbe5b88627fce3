package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void figures_ofAnyNames_areThoseOfASortedMap() {
    SplittableRandom random = new SplittableRandom(1);
    Figures.Builder builder = new Figures.Builder();
    for (int round = 0; round < 200; round++) {
      Map<String, Double> expected = new TreeMap<>();
      int count = random.nextInt(40);
      for (int k = 0; k < count; k++) {
        String name = "figure." + random.nextInt(30); // some come twice
        expected.put(name, (double) k);
        builder.put(name, k);
      }
      Figures figures = builder.build();

      assertThat(figures).isEqualTo(expected).hasSize(expected.size());
      assertThat(List.copyOf(figures.keySet())).isEqualTo(List.copyOf(expected.keySet()));
      assertThat(Figures.of(new HashMap<>(expected)).entrySet())
          .containsExactlyElementsOf(expected.entrySet());
      for (int k = 0; k < 30; k++) {
        String name = "figure." + k;
        assertThat(figures.get(name)).isEqualTo(expected.get(name));
        assertThat(figures.containsKey(name)).isEqualTo(expected.containsKey(name));
      }
    }
  }

  @Test
  void builder_ofTheSameNamesAgain_takesTheNewNumbers() {
    Figures.Builder builder = new Figures.Builder();
    for (int round = 0; round < 3; round++) {
      builder.put("left", 99);
      builder.clear();
      builder.put("b", round);
      builder.put("a", 10 + round);
      builder.put("b", 20 + round);

      assertThat(builder.build()).isEqualTo(Map.of("a", 10.0 + round, "b", 20.0 + round));
    }
  }

  @Test
  void figures_onceOrdered_areNotCopied() {
    Figures figures = Figures.of(Map.of("a", 1.0));

    assertThat(Figures.of(figures)).isSameAs(figures);
  }
}
