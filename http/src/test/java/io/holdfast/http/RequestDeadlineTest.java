package io.holdfast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
  private static final String WHOLE = "POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";

  private final EmbeddedChannel channel = channel();

  private static EmbeddedChannel channel() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.pipeline().addLast(new HttpServerCodec(), new RequestDeadline(Duration.ofSeconds(30)));
    return channel;
  }

  @Test
  void nothing_isHeldNoLonger() {
    after(29);
    assertThat(channel.isOpen()).isTrue();
    after(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void headersThatDripIn_areHeldNoLongerThanTheLimit() {
    drip("GET / HTTP/1.1\r\nHost: a-host-with-a-long-name\r\n");
    assertThat(answer()).startsWith("HTTP/1.1 408 Request Timeout").contains("connection: close");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void bodyThatDripsIn_isHeldNoLongerThanTheLimit() {
    send("POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n");
    drip("{\"temperature\": 1000000000000000");
    assertThat(answer()).startsWith("HTTP/1.1 408");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void secondRequestThatDripsIn_isHeldNoLongerThanTheLimit() {
    send(WHOLE);
    respond();
    after(300);
    assertThat(channel.isOpen()).as("a connection that is kept alive").isTrue();
    assertThat(answer()).startsWith("HTTP/1.1 200");
    drip("GET / HTTP/1.1\r\nHost: a-host-with-a-long-name\r\n");
    assertThat(answer()).startsWith("HTTP/1.1 408");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void answer_mayTakeAsLongAsItDoes() {
    send(WHOLE);
    after(300);
    assertThat(channel.isOpen()).isTrue();
    respond();
    assertThat(answer()).startsWith("HTTP/1.1 200");
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void requestBehindOneThatIsBeingAnswered_endsTheConnectionWithoutASecondAnswer() {
    send(WHOLE + "POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\n{");
    after(31);
    assertThat(channel.isOpen()).isFalse();
    assertThat(answer()).isEmpty();
  }

  @Test
  void requestThatWasRefusedBeforeItWasWhole_hasOneAnswer() {
    send("POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{");
    respond();
    after(31);
    assertThat(answer()).containsOnlyOnce("HTTP/1.1");
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void requestThatCameInTime_ofALoopThatWasBusy_isTaken() {
    send("POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{");
    pass(Duration.ofSeconds(31)); // what is due runs before what came is read
    send("}");
    pass(Duration.ofSeconds(1));
    respond();
    assertThat(answer()).startsWith("HTTP/1.1 200");
    assertThat(channel.isOpen()).isTrue();
  }

  /** A byte a second. */
  private void drip(String text) {
    for (int i = 0; i < text.length() && channel.isOpen(); i++) {
      send(text.substring(i, i + 1));
      after(1);
    }
  }

  private void after(int seconds) {
    pass(Duration.ofSeconds(seconds));
    pass(RequestDeadline.TURNS);
  }

  private void pass(Duration time) {
    channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  private void respond() {
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
    channel.writeOutbound(response);
  }

  private String answer() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
      text.append(bytes.toString(US_ASCII));
      bytes.release();
    }
    return text.toString();
  }
}
