package io.holdfast.http;

import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Gives every connection its {@link RequestDeadline}. Thread-safe. */
@Singleton
final class RequestTimeout implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  static final String PROPERTY = "holdfast.http.request-timeout-millis";

  private final Duration limit;

  RequestTimeout(@Property(name = PROPERTY, defaultValue = "30000") long millis) {
    limit = Duration.ofMillis(millis);
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new Connections());
    return event.getBean();
  }

  /** Of the listener, whose channel makes those of connections. */
  private final class Connections implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      return role == ChannelRole.CONNECTION ? new Connection(channel) : this;
    }
  }

  private final class Connection implements NettyServerCustomizer {
    private final Channel channel;

    Connection(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void onStreamPipelineBuilt() {
      // Behind the codec: what comes there are whole headers and parts of bodies.
      channel
          .pipeline()
          .addAfter(
              ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC,
              "request-deadline",
              new RequestDeadline(limit));
    }
  }
}
