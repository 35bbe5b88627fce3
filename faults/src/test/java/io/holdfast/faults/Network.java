package io.holdfast.faults;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The network before one broker, which can be cut, silent, slow, narrow and unsteady. Thread-safe.
 */
public final class Network implements AutoCloseable {
  private static final int CHUNK = 16 << 10;
  private static final Chunk END = new Chunk(new ByteArrayInputStream(new byte[0]), 0);

  private final ServerSocket front;
  private final int behind;
  private final SplittableRandom random;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile boolean silent;
  private volatile long latencyNanos;
  private volatile long bytesPerSecond;
  private volatile double resetShare;
  private long free; // nanoseconds: when the narrow network takes the next bytes; guarded by this

  /** Bytes, and when they may go on. */
  private record Chunk(ByteArrayInputStream bytes, long due) {}

  /** Before what listens there, or will. */
  public Network(int behind, long seed) {
    this.behind = behind;
    random = new SplittableRandom(seed);
    try {
      front = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
    Thread.ofVirtual().start(this::resetSome);
  }

  public int port() {
    return front.getLocalPort();
  }

  /** Ends all connections, and takes no more of them. */
  public void cut() {
    cut = true;
    sockets.forEach(Network::closeQuietly);
  }

  /** Connections stay, and are made, and nothing comes through. */
  public void silence() {
    silent = true;
  }

  /** What comes through comes that much later, each way. */
  public void delay(long millis) {
    latencyNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** So much comes through, of all connections together. */
  public void narrow(long bytes) {
    bytesPerSecond = bytes;
  }

  /** Every second that share of the connections is reset. */
  public void reset(double share) {
    resetShare = share;
  }

  /** As it was. */
  public void mend() {
    cut = false;
    silent = false;
    latencyNanos = 0;
    bytesPerSecond = 0;
    resetShare = 0;
  }

  private void accept() {
    while (!front.isClosed()) {
      try {
        Socket client = front.accept();
        if (cut) {
          client.close();
        } else {
          connect(client);
        }
      } catch (IOException e) {
        // closed, or the client has gone
      }
    }
  }

  private void connect(Socket client) {
    sockets.add(client);
    Socket broker = new Socket();
    sockets.add(broker);
    try {
      broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), behind));
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
    } catch (IOException e) {
      end(client, broker);
      return;
    }
    if (cut) {
      end(client, broker);
      return;
    }
    carry(client, broker);
    carry(broker, client);
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> way = new ArrayBlockingQueue<>(256);
    Thread.ofVirtual().start(() -> take(from, to, way));
    Thread.ofVirtual().start(() -> give(from, to, way));
  }

  private void take(Socket from, Socket to, BlockingQueue<Chunk> way) {
    try {
      byte[] buffer = new byte[CHUNK];
      int read = from.getInputStream().read(buffer);
      while (read >= 0) {
        way.put(
            new Chunk(new ByteArrayInputStream(buffer, 0, read), System.nanoTime() + latencyNanos));
        buffer = new byte[CHUNK];
        read = from.getInputStream().read(buffer);
      }
      way.put(END);
    } catch (IOException e) {
      end(from, to);
      way.clear();
      var _ = way.offer(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void give(Socket from, Socket to, BlockingQueue<Chunk> way) {
    try {
      Chunk chunk = way.take();
      while (chunk.bytes.available() > 0) {
        LockSupport.parkNanos(chunk.due - System.nanoTime());
        LockSupport.parkNanos(wait(chunk.bytes.available()));
        while (silent && !to.isClosed()) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        chunk.bytes.transferTo(to.getOutputStream());
        chunk = way.take();
      }
    } catch (IOException e) {
      // the other side has gone, or was cut off
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from, to);
    }
  }

  private synchronized long wait(int bytes) {
    long rate = bytesPerSecond;
    if (rate == 0) {
      return 0;
    }
    long now = System.nanoTime();
    free = Math.max(now, free) + bytes * TimeUnit.SECONDS.toNanos(1) / rate;
    return free - now;
  }

  private void resetSome() {
    while (!front.isClosed()) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      double share = resetShare;
      if (share > 0) {
        sockets.stream().filter(socket -> random.nextDouble() < share).forEach(Network::reset);
      }
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0); // closed so, it sends RST
    } catch (IOException e) {
      // closed already
    }
    closeQuietly(socket);
  }

  private void end(Socket one, Socket other) {
    closeQuietly(one);
    closeQuietly(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  @Override
  public void close() {
    closeQuietly(front);
    cut();
  }
}
