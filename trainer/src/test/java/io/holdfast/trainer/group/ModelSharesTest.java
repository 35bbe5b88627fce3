package io.holdfast.trainer.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ModelSharesTest {
  private static final Set<String> SIX = Set.of("m1", "m2", "m3", "m4", "m5", "m6");

  @Test
  void models_ofOneTrainer_areAllItsOwn() {
    assertThat(ModelShares.of(trainers(Map.of("a", SIX)), Map.of())).isEqualTo(Map.of("a", SIX));
  }

  @Test
  void trainer_thatJoins_takesHalfAndNothingElseMoves() {
    Map<String, String> owners = owners(Map.of("a", SIX));

    var shares = ModelShares.of(trainers(Map.of("a", SIX, "b", SIX)), owners);

    assertThat(shares.get("a")).hasSize(3);
    assertThat(shares.get("b")).hasSize(3);
  }

  @Test
  void trainer_thatLeaves_leavesOthersWhatTheyHave() {
    Map<String, String> owners =
        owners(Map.of("a", Set.of("m1", "m2"), "b", Set.of("m3", "m4"), "c", Set.of("m5", "m6")));

    var shares = ModelShares.of(trainers(Map.of("a", SIX, "b", SIX)), owners);

    assertThat(shares.get("a")).hasSize(3).contains("m1", "m2");
    assertThat(shares.get("b")).hasSize(3).contains("m3", "m4");
  }

  @Test
  void models_thatOneTrainerAloneCanTrain_areItsOwnAndCountInItsShare() {
    var trainers = trainers(Map.of("a", Set.of("m1", "m2", "m3", "m4"), "b", Set.of("m3", "m4")));

    assertThat(ModelShares.of(trainers, Map.of()))
        .isEqualTo(Map.of("a", Set.of("m1", "m2"), "b", Set.of("m3", "m4")));
  }

  @Test
  void chain_overATrainerBetween_evensSharesOut() {
    // a and c have no model in common: b must give one of c's to c and take one of a's.
    var trainers =
        trainers(
            Map.of(
                "a", Set.of("m1", "m2", "m3"),
                "b", Set.of("m1", "m2", "m3", "m4"),
                "c", Set.of("m4")));
    Map<String, String> owners = owners(Map.of("a", Set.of("m1", "m2", "m3"), "b", Set.of("m4")));

    var shares = ModelShares.of(trainers, owners);

    assertThat(shares.get("a")).hasSize(2);
    assertThat(shares.get("b")).hasSize(1);
    assertThat(shares.get("c")).containsExactly("m4");
  }

  @Property(tries = 300)
  void shares_ofAnyGroup_areWholeAllowedEvenAndStable(@ForAll long seed) {
    var random = new SplittableRandom(seed);
    List<String> models = IntStream.range(0, random.nextInt(1, 30)).mapToObj(i -> "m" + i).toList();
    int count = random.nextInt(1, 7);
    SortedMap<String, Set<String>> trainers = new TreeMap<>();
    for (int trainer = 0; trainer < count; trainer++) {
      Set<String> able = new HashSet<>(models);
      if (random.nextInt(2) == 0) {
        able.removeIf(_ -> random.nextBoolean());
      }
      trainers.put("t" + trainer, able);
    }
    Map<String, String> owners = new HashMap<>();
    for (String model : models) {
      if (random.nextInt(3) > 0) {
        owners.put(model, "t" + random.nextInt(count + 1)); // some of a trainer that is gone
      }
    }

    SortedMap<String, SortedSet<String>> shares = ModelShares.of(trainers, owners);

    Set<String> shared = new HashSet<>();
    shares.forEach(
        (trainer, share) -> {
          assertThat(trainers.get(trainer)).containsAll(share);
          share.forEach(model -> assertThat(shared.add(model)).as(model).isTrue());
        });
    Set<String> able = new HashSet<>();
    trainers.values().forEach(able::addAll);
    assertThat(shared).isEqualTo(able);
    shares.forEach(
        (from, share) ->
            share.forEach(
                model ->
                    trainers.forEach(
                        (to, allowed) -> {
                          if (allowed.contains(model)) {
                            assertThat(shares.get(to)).hasSizeGreaterThan(share.size() - 2);
                          }
                        })));
    assertThat(ModelShares.of(trainers, owners(shares))).isEqualTo(shares);
  }

  private static SortedMap<String, Set<String>> trainers(Map<String, Set<String>> trainers) {
    return new TreeMap<>(trainers);
  }

  private static Map<String, String> owners(Map<String, ? extends Set<String>> shares) {
    Map<String, String> owners = new HashMap<>();
    shares.forEach((trainer, share) -> share.forEach(model -> owners.put(model, trainer)));
    return owners;
  }
}
