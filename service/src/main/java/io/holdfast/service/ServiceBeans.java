package io.holdfast.service;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.service.heads.HeadActions;
import io.holdfast.service.heads.TopicHeadActions;
import io.holdfast.service.letters.LetterActions;
import io.holdfast.service.letters.TopicLetters;
import io.holdfast.service.lookup.RecordLookup;
import io.holdfast.service.lookup.TopicLookup;
import io.holdfast.service.model.ServedModels;
import io.holdfast.service.report.RecentReports;
import io.holdfast.service.runtime.ServiceRuntime;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Clock;

/** The runtime and its parts as beans, for a context that was given settings. */
@Factory
@Requires(bean = Settings.class)
final class ServiceBeans {

  @Singleton
  @Bean(preDestroy = "close")
  ServiceRuntime runtime(Settings settings, MeterRegistry meters) {
    return new ServiceRuntime(settings, meters, Clock.systemUTC());
  }

  @Singleton
  ServedModels models(ServiceRuntime runtime) {
    return runtime.models();
  }

  @Singleton
  HeadActions headActions(Settings settings) {
    return new TopicHeadActions(settings);
  }

  @Singleton
  LetterActions letterActions(Settings settings, ServiceRuntime runtime) {
    return new TopicLetters(settings, runtime.framings());
  }

  @Singleton
  RecordLookup recordLookup(Settings settings, ServiceRuntime runtime) {
    return new TopicLookup(settings, runtime.framings());
  }

  @Singleton
  RecentReports reports(ServiceRuntime runtime) {
    return runtime.reports();
  }
}
