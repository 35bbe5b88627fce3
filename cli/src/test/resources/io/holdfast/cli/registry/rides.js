const { createInterface } = require('node:readline');
const { Kafka, Partitioners } = require('kafkajs');
const { SchemaRegistry, SchemaType } = require('@kafkajs/confluent-schema-registry');

const [broker, host, topic] = process.argv.slice(2);
const schema = {
  type: 'record',
  name: 'Ride',
  fields: [
    { name: 'station', type: 'string' },
    { name: 'temperature', type: ['null', 'double'], default: null },
  ],
};

async function main() {
  const registry = new SchemaRegistry({ host });
  const { id } = await registry.register(
    { type: SchemaType.AVRO, schema: JSON.stringify(schema) },
    { subject: `${topic}-value` },
  );
  const producer = new Kafka({ brokers: [broker], logLevel: 1 })
    .producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for await (const line of createInterface({ input: process.stdin })) {
    const { key, ...ride } = JSON.parse(line);
    await producer.send({ topic, messages: [{ key, value: await registry.encode(id, ride) }] });
  }
  await producer.disconnect();
}

main();
