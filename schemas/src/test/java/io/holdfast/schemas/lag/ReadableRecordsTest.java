package io.holdfast.schemas.lag;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ReadableRecordsTest {
  /** It takes connections and says nothing, as a broker under load does. */
  @Test
  void brokerThatDoesNotAnswer_leavesOpenWhetherARecordIsThere() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      var readable = new ReadableRecords(Map.of("bootstrap.servers", address));

      assertThatThrownBy(() -> readable.anyBetween(new TopicPartition("records", 0), 5, 6))
          .isInstanceOf(TimeoutException.class);
    }
  }
}
