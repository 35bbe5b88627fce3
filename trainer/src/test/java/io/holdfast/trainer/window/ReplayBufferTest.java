package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.trainer.ExampleStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ReplayBufferTest {
  private static final RowPriority PRIORITY =
      RowPriority.of(ExampleStream.settings(Map.of()), "replay");
  private static final int ROW_BYTES = RowsOfLog.row(0, 0, 0).bytes();

  /** Windows of a made-up log, over up to three partitions and {@code environments}. */
  private record Log(List<Window> windows) {
    static Log of(long seed, int count, int environments) {
      var random = new SplittableRandom(seed);
      long[] next = {random.nextInt(5), 0, 7};
      List<Window> windows = new ArrayList<>();
      for (int number = 1; number <= count; number++) {
        long[] from = next.clone();
        List<LabelledRow> rows = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
          int partition = random.nextInt(3);
          // Environments are of very different size.
          String environment = "e" + (int) (environments * Math.pow(random.nextDouble(), 3));
          rows.add(RowsOfLog.row(partition, next[partition]++, number, environment));
        }
        SortedMap<Integer, Window.Cut> cuts = new TreeMap<>();
        for (int partition = 0; partition < 3; partition++) {
          cuts.put(partition, new Window.Cut(from[partition], next[partition]));
        }
        windows.add(new Window(number, rows, Map.of(), cuts));
      }
      return new Log(windows);
    }

    List<LabelledRow> rows(Map<Integer, Window.Cut> cuts) {
      return windows.stream()
          .flatMap(window -> window.rows().stream())
          .filter(
              row -> {
                Window.Cut cut = cuts.get(row.position().partition());
                long offset = row.position().offset();
                return cut != null && cut.from() <= offset && offset < cut.to();
              })
          .toList();
    }
  }

  private static ReplayBuffer empty(int rows, int windows) {
    return ReplayBuffer.empty(new ReplayLimits(rows, windows, 1L << 30), PRIORITY);
  }

  private static ReplayBuffer published(ReplayBuffer buffer, Window window) {
    return buffer.published(window.cuts(), window.rows());
  }

  @Property
  void buffer_ofItsParts_isTheSame(
      @ForAll long seed,
      @ForAll @IntRange(max = 60) int rows,
      @ForAll @IntRange(min = 1, max = 9) int windows,
      @ForAll @IntRange(min = 1, max = 8) int environments) {
    Log log = Log.of(seed, 15, environments);
    ReplayBuffer buffer = empty(rows, windows);
    for (Window window : log.windows()) {
      ReplayBuffer again = empty(rows, windows);
      for (ReplayBuffer.Part part : buffer.parts()) {
        again = again.restored(part.cuts(), part.quotas(), log.rows(part.cuts()));
      }
      assertThat(again.rows()).isEqualTo(buffer.rows());
      assertThat(published(again, window).rows()).isEqualTo(published(buffer, window).rows());

      buffer = published(buffer, window);
      assertThat(buffer.size()).isLessThanOrEqualTo(rows).isEqualTo(buffer.rows().size());
      assertThat(buffer.parts()).hasSizeLessThanOrEqualTo(windows);
    }
  }

  /** However small windows are against memory, and whether or not they divide it. */
  @Property(tries = 50)
  void buffer_ofSmallWindows_fillsUp(@ForAll @IntRange(min = 1, max = 30) int size) {
    ReplayBuffer buffer = empty(1_000, 50);
    for (int number = 1; number <= 2_000 / size; number++) {
      List<LabelledRow> rows = new ArrayList<>();
      long from = (number - 1L) * size;
      for (int i = 0; i < size; i++) {
        rows.add(RowsOfLog.row(0, from + i, number));
      }
      var cuts = new TreeMap<>(Map.of(0, new Window.Cut(from, from + size)));
      buffer = published(buffer, new Window(number, rows, Map.of(), cuts));
      assertThat(buffer.parts()).hasSizeLessThanOrEqualTo(50);
    }
    assertThat(buffer.size()).isEqualTo(1_000);
  }

  /** However windows that came to nothing were cut, they are one stretch afterwards. */
  @Property
  void unpublishedWindows_inAnyPieces_areTheSame(
      @ForAll long seed,
      @ForAll @IntRange(max = 30) int rows,
      @ForAll @IntRange(min = 1, max = 40) int environments) {
    Log log = Log.of(seed, 12, environments);
    ReplayBuffer start = empty(rows, 5);
    for (Window window : log.windows().subList(0, 4)) {
      start = published(start, window);
    }
    List<Window> rest = log.windows().subList(4, 11);
    ReplayBuffer pieces = start;
    TreeMap<Integer, Window.Cut> whole = new TreeMap<>();
    List<LabelledRow> all = new ArrayList<>();
    for (Window window : rest) {
      pieces = pieces.unpublished(window.cuts(), window.rows());
      window
          .cuts()
          .forEach((p, cut) -> whole.merge(p, cut, (a, b) -> new Window.Cut(a.from(), b.to())));
      all.addAll(window.rows());
      assertThat(pieces.size()).isLessThanOrEqualTo(rows);
    }
    ReplayBuffer once = start.unpublished(whole, all);

    assertThat(pieces.rows()).isEqualTo(once.rows());
    assertThat(pieces.parts()).isEqualTo(once.parts());
    Window last = log.windows().getLast();
    assertThat(published(pieces, last).parts()).isEqualTo(published(once, last).parts());
  }

  /** What is held of a window and an environment are its rows of lowest number, ever fewer. */
  @Property
  void rows_areThoseOfLowestNumber_andOnlyEverFewer(
      @ForAll long seed, @ForAll @IntRange(max = 40) int rows) {
    Log log = Log.of(seed, 12, 4);
    ReplayBuffer buffer = empty(rows, 6);
    Map<String, Integer> before = new HashMap<>();
    for (Window window : log.windows()) {
      buffer = published(buffer, window);
      Map<String, Integer> now = new HashMap<>();
      List<LabelledRow> expected = new ArrayList<>();
      for (ReplayBuffer.Part part : buffer.parts()) {
        for (Map.Entry<String, Integer> quota : part.quotas().entrySet()) {
          log.rows(part.cuts()).stream()
              .filter(row -> row.environment().equals(quota.getKey()))
              .sorted(Comparator.comparingLong(row -> PRIORITY.of(row.position())))
              .limit(quota.getValue())
              .forEach(expected::add);
          now.put(part.cuts() + quota.getKey(), quota.getValue());
        }
      }
      assertThat(buffer.rows()).isEqualTo(ReplayBuffer.inLogOrder(expected));
      Map<String, Integer> earlier = before;
      now.forEach(
          (place, quota) ->
              assertThat(quota)
                  .isLessThanOrEqualTo(earlier.getOrDefault(place, Integer.MAX_VALUE)));
      before = now;
    }
  }

  @Example
  void windows_ofOneEnvironment_areTheLastRows() {
    ReplayBuffer buffer = empty(10, 50);
    for (int number = 0; number < 4; number++) {
      buffer = published(buffer, window(number, Map.of("a", 4)));
    }

    assertThat(quotas(buffer)).containsExactly(Map.of("a", 2), Map.of("a", 4), Map.of("a", 4));
  }

  @Example
  void rareEnvironment_remembersFromFurtherBack() {
    ReplayBuffer buffer = empty(20, 50);
    for (int number = 0; number < 8; number++) {
      buffer = published(buffer, window(number, Map.of("a", 9, "b", 1)));
    }

    int rare = quotas(buffer).stream().mapToInt(part -> part.getOrDefault("b", 0)).sum();
    assertThat(rare).isEqualTo(7); // and 13 of the other, of its last two windows
    assertThat(buffer.size()).isEqualTo(20);
  }

  @Example
  void buffer_ofMoreEnvironmentsThanRows_takesThoseSeenLast() {
    ReplayBuffer buffer = empty(3, 50);
    for (int number = 0; number < 5; number++) {
      buffer = published(buffer, window(number, Map.of("e" + number, 1)));
    }

    assertThat(buffer.rows())
        .extracting(LabelledRow::environment)
        .containsExactly("e2", "e3", "e4");
  }

  @Example
  void rows_thatTakeMoreBytesThanAllowed_areFewer() {
    ReplayBuffer buffer = ReplayBuffer.empty(new ReplayLimits(100, 50, 7L * ROW_BYTES), PRIORITY);
    for (int number = 0; number < 3; number++) {
      buffer = published(buffer, window(number, Map.of("a", 5)));
    }

    assertThat(buffer.size()).isEqualTo(7);
  }

  @Example
  void manifests_stayReadable_howeverManyEnvironmentsThereAre() {
    ReplayBuffer buffer = empty(1_000_000, 1_000);
    String name = "x".repeat(1_000);
    for (int number = 0; number < 200; number++) {
      buffer = published(buffer, window(number, Map.of(name + number, 1)));
    }

    assertThat(buffer.parts()).hasSizeBetween(50, 100);
    assertThat(buffer.rows().getLast().environment()).endsWith("199");
  }

  private static Window window(int number, Map<String, Integer> sizes) {
    List<LabelledRow> rows = new ArrayList<>();
    long from = number * 100L;
    long next = from;
    for (Map.Entry<String, Integer> size : new TreeMap<>(sizes).entrySet()) {
      for (int i = 0; i < size.getValue(); i++) {
        rows.add(RowsOfLog.row(0, next++, number, size.getKey()));
      }
    }
    return new Window(number, rows, Map.of(), new TreeMap<>(Map.of(0, new Window.Cut(from, next))));
  }

  private static List<Map<String, Integer>> quotas(ReplayBuffer buffer) {
    return buffer.parts().stream().map(part -> Map.copyOf(part.quotas())).toList();
  }
}
