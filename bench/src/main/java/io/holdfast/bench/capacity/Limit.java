package io.holdfast.bench.capacity;

/** What may be met first, and what to do then. */
enum Limit {
  PARTITION("a partition's stream thread", "more partitions of records"),
  SERVICE_PROCESSOR("processor of the service", "more instances, up to the partitions"),
  SERVICE_THREADS("threads of an instance", "fewer models a configuration"),
  SERVICE_HEAP("heap of an instance", "fewer models a configuration, or more heap"),
  START("start of an instance", "fewer models a configuration, or more cores"),
  BROKER_PROCESSOR("processor of the brokers", "more brokers, a longer commit.interval.ms"),
  BROKER_BYTES("bytes into the brokers", "more brokers"),
  BROKER_PARTITIONS("partitions of the brokers", "more brokers, fewer partitions a model"),
  TRAINER_PROCESSOR("processor of the trainers", "more trainers, larger windows"),
  TRAINER_THREADS("threads of a trainer", "more trainers");

  final String label;
  final String remedy;

  Limit(String label, String remedy) {
    this.label = label;
    this.remedy = remedy;
  }
}
