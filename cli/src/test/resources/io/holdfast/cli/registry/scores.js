const { Kafka } = require('kafkajs');
const { SchemaRegistry } = require('@kafkajs/confluent-schema-registry');

const [broker, host, topic] = process.argv.slice(2);

async function main() {
  const registry = new SchemaRegistry({ host });
  const consumer = new Kafka({ brokers: [broker], logLevel: 1 }).consumer({ groupId: 'readers' });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const score = await registry.decode(message.value);
      console.log(JSON.stringify({ key: message.key.toString(), ...score }));
    },
  });
}

main();
