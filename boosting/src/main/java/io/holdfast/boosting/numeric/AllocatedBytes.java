package io.holdfast.boosting.numeric;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that threads have allocated, where the virtual machine counts them. */
public final class AllocatedBytes {
  private AllocatedBytes() {}

  /** Of the current thread since it began; always 0 if they are not counted. */
  public static long ofThisThread() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
            && bean.isThreadAllocatedMemoryEnabled()
        ? bean.getCurrentThreadAllocatedBytes()
        : 0;
  }
}
