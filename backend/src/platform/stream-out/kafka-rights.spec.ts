import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import kafkajs, { type AclEntry, type AclOperationTypes, type Admin } from 'kafkajs';
import { kafkaAt } from '../../testing/read-topic.js';
import { someEvents } from './event-stream-publisher.contract.js';
import { PublishingRefused } from './event-stream-publisher.js';
import { KafkaPublisher } from './kafka-publisher.js';

// Node does not find these names among the exports of the CommonJS module.
const { AclOperationTypes: Right, AclPermissionTypes: Permission, AclResourceTypes: Resource, ResourcePatternTypes: Pattern } = kafkajs;

/** Brokers with an authorizer that allows everything for which there is no rule, and no authentication. */
const brokers = (process.env['KAFKA_RIGHTS_BROKERS'] ?? '').split(',');
const kafka = kafkaAt({ brokers });
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const patient = new AbortController().signal;

let admin: Admin;
let topic: string;
let rules: AclEntry[];
let publisher: KafkaPublisher;
beforeEach(async () => {
  topic = `roughmix-spec-${randomUUID()}`;
  rules = [];
  admin = kafka.admin();
  await admin.connect();
  publisher = await KafkaPublisher.open({ brokers, topic, log: quiet });
});
afterEach(async () => {
  await publisher.close();
  if (rules.length > 0) await admin.deleteAcls({ filters: rules });
  if ((await admin.listTopics()).includes(topic)) await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
});

type Rule = { readonly right: AclOperationTypes; readonly isAllowed?: boolean; readonly isOfCluster?: boolean };

/** Adds a rule for the only user. Once a topic has a rule, everything else on it needs one too. */
async function rule({ right, isAllowed = true, isOfCluster = false }: Rule): Promise<void> {
  const acl: AclEntry = {
    resourceType: isOfCluster ? Resource.CLUSTER : Resource.TOPIC,
    resourceName: isOfCluster ? 'kafka-cluster' : topic,
    resourcePatternType: Pattern.LITERAL,
    principal: 'User:ANONYMOUS',
    host: '*',
    operation: right,
    permissionType: isAllowed ? Permission.ALLOW : Permission.DENY,
  };
  rules.push(acl);
  await admin.createAcls({ acl: [acl] });
}

const publish = (): Promise<void> => publisher.publish(someEvents(0, 3), patient);
const refused = (reason: string) => expect.objectContaining({ constructor: PublishingRefused, message: `Kafka: ${reason}` });
const ON_TOPIC = 'the user lacks a right on the topic: publishing needs Describe and Write, events compare-topic needs Describe and Read';
const NO_TOPIC = (): string => `the topic ${topic} does not exist or is hidden from the user (Describe), who has no right to create it (Create)`;
/** The brokers themselves are the same user, so all other rights on the cluster come first, and stay. */
const mayNotCreate = async (): Promise<void> => {
  await rule({ right: Right.ALL, isOfCluster: true });
  rules.pop();
  await rule({ right: Right.CREATE, isAllowed: false, isOfCluster: true });
  await rule({ right: Right.WRITE });
};

test('publishing without the right to write names it, at the start and later', async () => {
  await publish();
  await rule({ right: Right.DESCRIBE });
  await expect(publish()).rejects.toEqual(refused(ON_TOPIC));
  const other = await KafkaPublisher.open({ brokers, topic, log: quiet });
  await expect(other.publish(someEvents(0, 3), patient)).rejects.toEqual(refused(ON_TOPIC));
  await other.close();
  await rule({ right: Right.WRITE });
  await publish();
});

test('a missing topic that the user may not create is named, at the start and later', async () => {
  await mayNotCreate();
  await expect(publisher.connect(patient)).rejects.toEqual(refused(NO_TOPIC()));
  await admin.deleteAcls({ filters: rules.splice(0) });
  await publish();
  await mayNotCreate();
  await rule({ right: Right.DELETE });
  await admin.deleteTopics({ topics: [topic] });
  // The first attempt fails because the topic is gone, the next because it cannot be created.
  await expect(publish()).rejects.toThrow('Kafka did not accept the events (This server does not host this topic-partition)');
  await expect(publish()).rejects.toEqual(refused(NO_TOPIC()));
});
