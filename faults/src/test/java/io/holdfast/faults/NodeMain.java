package io.holdfast.faults;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs another program's main in this JVM, which ends when its standard input does. Any byte that
 * comes there takes all memory.
 */
public final class NodeMain {
  private static final int BLOCK = 1 << 16;
  private static final List<byte[]> TAKEN = new ArrayList<>();

  private NodeMain() {}

  /** Takes the name of the class, and its own arguments. */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().start(NodeMain::obeyTheParent);
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void obeyTheParent() {
    try {
      while (System.in.read() >= 0) {
        Thread.ofPlatform().daemon().start(NodeMain::takeAllMemory);
      }
    } catch (IOException e) {
      // the same
    }
    Runtime.getRuntime().halt(9);
  }

  private static void takeAllMemory() {
    while (true) {
      TAKEN.add(new byte[BLOCK]);
    }
  }
}
