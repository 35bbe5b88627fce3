package io.holdfast.bench.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.bench.pipeline.UnitCosts;
import org.junit.jupiter.api.Test;

/** Costs are whole numbers here, so that each figure can be found by hand. */
class LayoutTest {
  private static final UnitCosts UNIT =
      new UnitCosts(100, 2, 4, 8, 400, 100, 250, 150, 300, 90_000);
  private static final ModelCosts MODEL = new ModelCosts(12, 2, 0.5, 2, 5, 40);
  private static final Machine MACHINE = new Machine(4, 1_000, 1_200, 20, 4, 1e8, 4_000, 0.5);
  private static final Layout.Given GIVEN = new Layout.Given(UNIT, MODEL, MACHINE, 1);

  @Test
  void aPartitionIsReadByOneThread() {
    // 2 µs a record, half of a thread in use: 250,000 records a second
    assertThat(layout(250_000, 1, 1, 1).use(Limit.PARTITION)).isEqualTo(1);
    assertThat(layout(250_000, 1, 10, 1).use(Limit.PARTITION)).isEqualTo(0.1);
  }

  @Test
  void instancesAreAsManyAsTheRecordsNeed() {
    // 4 µs a record, half of four cores in use: 500,000 records a second of each instance
    assertThat(layout(4_000_000, 1, 64, 1).instances()).isEqualTo(8);
    assertThat(layout(4_000_000, 1, 64, 1).use(Limit.SERVICE_PROCESSOR)).isEqualTo(1);
  }

  @Test
  void onePartitionMakesNoUseOfMoreInstances() {
    Layout one = layout(1_000_000, 1, 1, 1);
    assertThat(one.instances()).isEqualTo(1);
    assertThat(one.use(Limit.SERVICE_PROCESSOR)).isEqualTo(2);
    assertThat(one.first()).isEqualTo(Limit.PARTITION);
  }

  @Test
  void modelsThatFillAnInstanceAreSharedOut() {
    // 12 threads a model of 1,200: 100 models an instance
    assertThat(layout(100, 200, 1, 1).use(Limit.SERVICE_THREADS)).isEqualTo(2);
    Layout two = layout(100, 200, 1, 2);
    assertThat(two.use(Limit.SERVICE_THREADS)).isEqualTo(1);
    assertThat(two.instances()).isEqualTo(2);
  }

  @Test
  void brokersTakeWhatIsWrittenThreeTimes() {
    // 250 + 150 + 300 / 10 bytes, three times
    Layout layout = layout(1_000_000, 1, 100, 1);
    assertThat(layout.brokers()).isEqualTo(13);
    assertThat(layout.use(Limit.BROKER_BYTES)).isCloseTo(3 * 430e6 / 13 / 1e8, within(1e-9));
  }

  @Test
  void aModelCommitsTenTimesASecondAtMost() {
    // 1,000 models, one partition and that of offsets: 10 × (400 + 2 × 100) µs a model, 6 cores;
    // and 100,000 records of 8 µs
    Layout layout = layout(100_000, 1_000, 1, 10);
    assertThat(layout.brokers() * layout.use(Limit.BROKER_PROCESSOR))
        .isCloseTo(6.8 / 2, within(1e-9));
  }

  @Test
  void theSameSeedLaysOutTheSame() {
    for (Limit limit : Limit.values()) {
      assertThat(layout(1_000_000, 1_000, 100, 10).use(limit))
          .isEqualTo(layout(1_000_000, 1_000, 100, 10).use(limit));
    }
  }

  private static Layout layout(double records, int models, int partitions, int configurations) {
    return new Layout(
        new Demand(records, models, partitions, 0, 0.1, 1_000), configurations, GIVEN);
  }
}
