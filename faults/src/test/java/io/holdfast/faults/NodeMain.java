package io.holdfast.faults;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Runs another program's main in this JVM, which ends when its standard input does. */
public final class NodeMain {
  private NodeMain() {}

  /** Takes the name of the class, and its own arguments. */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().start(NodeMain::endWithTheParent);
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void endWithTheParent() {
    try {
      int read = System.in.read();
      while (read >= 0) {
        read = System.in.read();
      }
    } catch (IOException e) {
      // the same
    }
    Runtime.getRuntime().halt(9);
  }
}
