package io.holdfast.cli.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port before a broker that takes connections at once and passes nothing on until it is let, as a
 * broker that is busy or stopped does.
 */
final class SilentPort implements AutoCloseable {
  private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final String broker;
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger connections = new AtomicInteger();

  SilentPort(String broker) throws IOException {
    this.broker = broker;
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + port.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  /** From now on it passes all on. */
  void let() {
    open.countDown();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = port.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> pass(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(Socket client) {
    int colon = broker.indexOf(':');
    try {
      open.await();
      Socket server =
          new Socket(
              InetAddress.getLoopbackAddress(), Integer.parseInt(broker.substring(colon + 1)));
      Thread.ofVirtual().start(() -> copy(client, server));
      copy(server, client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8_192];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        out.write(bytes, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // one side is gone
    }
  }

  @Override
  public void close() throws IOException {
    port.close();
  }
}
