package io.holdfast.trainer.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shares models among trainers. One use each; not thread-safe. */
final class ModelShares {
  /*
   * An assignment is as even as possible when no chain of moves leads from a trainer to one with at
   * least two models fewer (Harvey et al., "Semi-matchings for bipartite graphs and load balancing",
   * 2006). So trainers keep their models, new models go to whoever has fewest, and then shortest chains
   * are applied until there are none. Each lowers the sum of squared shares, so this ends.
   */
  private final SortedMap<String, Set<String>> trainers;
  private final Map<String, String> owners;
  private final SortedMap<String, SortedSet<String>> shares = new TreeMap<>();

  private record Move(String model, String from, String to) {}

  private ModelShares(SortedMap<String, Set<String>> trainers, Map<String, String> owners) {
    this.trainers = trainers;
    this.owners = owners;
    trainers.keySet().forEach(trainer -> shares.put(trainer, new TreeSet<>()));
  }

  /**
   * Each trainer's models; a model that nobody can train is in no share.
   *
   * @param trainers each with the models that it can train
   * @param owners of the models that are trained now; former trainers do not count
   */
  static SortedMap<String, SortedSet<String>> of(
      SortedMap<String, Set<String>> trainers, Map<String, String> owners) {
    var shares = new ModelShares(trainers, owners);
    shares.deal();
    for (Move[] chain = shares.chain(); chain.length > 0; chain = shares.chain()) {
      for (Move move : chain) {
        shares.share(move.from()).remove(move.model());
        shares.share(move.to()).add(move.model());
      }
    }
    return shares.shares;
  }

  private SortedSet<String> share(String trainer) {
    return shares.computeIfAbsent(trainer, _ -> new TreeSet<>());
  }

  private int load(String trainer) {
    return share(trainer).size();
  }

  private void deal() {
    SortedMap<String, List<String>> ownerless = new TreeMap<>();
    trainers.forEach(
        (trainer, models) -> {
          for (String model : models) {
            String owner = owners.get(model);
            if (owner == null || !trainers.getOrDefault(owner, Set.of()).contains(model)) {
              ownerless.computeIfAbsent(model, _ -> new ArrayList<>()).add(trainer);
            } else if (owner.equals(trainer)) {
              share(trainer).add(model);
            }
          }
        });
    // Models with the least choice choose first.
    ownerless.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getValue().size()))
        .forEach(
            entry ->
                entry.getValue().stream()
                    .min(Comparator.comparingInt(this::load))
                    .ifPresent(trainer -> share(trainer).add(entry.getKey())));
  }

  /** Moves that make shares more even, in any order; none if they are as even as possible. */
  private Move[] chain() {
    List<String> mostFirst =
        shares.keySet().stream().sorted(Comparator.comparingInt(this::load).reversed()).toList();
    for (String from : mostFirst) {
      Map<String, @Nullable Move> reached = reachable(from);
      String to =
          reached.keySet().stream() // nearest first, and `min` takes the first of equals
              .min(Comparator.comparingInt(this::load))
              .orElse(from);
      if (load(to) + 2 <= load(from)) {
        List<Move> chain = new ArrayList<>();
        for (Move move = reached.get(to); move != null; move = reached.get(move.from())) {
          chain.add(move);
        }
        return chain.toArray(Move[]::new);
      }
    }
    return new Move[0];
  }

  /** The trainers that chains of moves lead to, nearest first, each with its chain's last move. */
  private Map<String, @Nullable Move> reachable(String from) {
    Map<String, @Nullable Move> reached = new LinkedHashMap<>();
    reached.put(from, null);
    ArrayDeque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      String giver = next.remove();
      List<String> newFirst =
          share(giver).stream()
              .sorted(Comparator.comparing(model -> giver.equals(owners.get(model))))
              .toList();
      for (String model : newFirst) {
        trainers.forEach(
            (taker, models) -> {
              if (models.contains(model) && !reached.containsKey(taker)) {
                reached.put(taker, new Move(model, giver, taker));
                next.add(taker);
              }
            });
      }
    }
    return reached;
  }
}
