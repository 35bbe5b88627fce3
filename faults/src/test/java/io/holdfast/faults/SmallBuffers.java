package io.holdfast.faults;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.Options;

/** Makes a store write to its disk after some kilobytes, as a large one does after megabytes. */
public final class SmallBuffers implements RocksDBConfigSetter {
  private static final long BYTES = 64 << 10;

  @Override
  public void setConfig(String store, Options options, Map<String, Object> settings) {
    options.setWriteBufferSize(BYTES);
    options.setArenaBlockSize(BYTES / 8);
  }

  @Override
  public void close(String store, Options options) {}
}
