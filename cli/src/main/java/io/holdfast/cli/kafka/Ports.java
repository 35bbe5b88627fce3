package io.holdfast.cli.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.SplittableRandom;

/** TCP ports of the loopback address. Stateless. */
public final class Ports {
  /*
   * Free ports are taken below 32768, where neither Linux nor macOS takes the ports of outgoing
   * connections from: nothing but another server can take one between this check and the broker's
   * own bind. The search starts at a place that differs by process and call, so that two brokers
   * starting at once look at different ports first.
   */
  private static final int FIRST = 20_000;
  private static final int COUNT = 12_000;

  private Ports() {}

  static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** A free port, and not that one. */
  public static int anyFree(int taken) {
    var random = new SplittableRandom(ProcessHandle.current().pid() * 31 + System.nanoTime());
    for (int attempt = 0; attempt < 1000; attempt++) {
      int port = FIRST + random.nextInt(COUNT);
      if (port != taken && free(port)) {
        return port;
      }
    }
    throw new BrokerException(
        "no free port was found from %d to %d on 127.0.0.1: stop what listens there or name a port",
        FIRST, FIRST + COUNT - 1);
  }
}
