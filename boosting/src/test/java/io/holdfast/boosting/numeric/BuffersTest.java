package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuffersTest {
  @Test
  void take_afterRecycling_givesTheSameArraysAgain() {
    var buffers = new Buffers();
    double[] first = buffers.doubles(1_000);
    double[] second = buffers.doubles(1_000);
    assertThat(second).isNotSameAs(first).hasSizeGreaterThanOrEqualTo(1_000);
    buffers.recycle();
    Set<Object> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.add(first);
    before.add(second);
    assertThat(before.remove(buffers.doubles(990))).isTrue();
    assertThat(before.remove(buffers.doubles(1_000))).isTrue();
    assertThat(buffers.doubles(1_000)).isNotSameAs(first).isNotSameAs(second);
  }

  @Test
  void take_arraysOfManySizes_givesTheClosest() {
    var buffers = new Buffers();
    int[] large = buffers.ints(5_000);
    int[] small = buffers.ints(2_000);
    buffers.recycle();
    assertThat(buffers.ints(1_500)).isSameAs(small);
    assertThat(buffers.ints(1_500)).isSameAs(large);
    buffers.recycle();
    assertThat(buffers.ints(10)).as("much less").isNotSameAs(small).isNotSameAs(large);
  }

  @Test
  void recycle_arraysThatNobodyAskedForSince_areLetGo() {
    var buffers = new Buffers();
    long[] array = buffers.longs(100);
    buffers.recycle();
    buffers.recycle();
    assertThat(buffers.longs(100)).isNotSameAs(array);
  }
}
