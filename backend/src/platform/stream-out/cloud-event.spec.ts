import { expect, test } from '@jest/globals';
import { slices } from '../../slices.js';
import { storedEvent } from '../../testing/stored-event.js';
import { cloudEventOf, outgoing, sourceOf } from './cloud-event.js';

const facts = { source: sourceOf('log-1'), isKnown: (type: string) => slices.fieldClasses.has(type) };
const place = { stream: 'project-p1', revision: 4, position: 3_000_000_000, actorUid: 'ana', commandId: 'c1' };
const renamed = storedEvent(
  { type: 'ProjectRenamed', data: { from: { $sealed: 'AAAA', by: 'project-p1' }, to: { $sealed: 'BBBB', by: 'project-p1' } } },
  place,
);

test('an event becomes a CloudEvent 1.0 with only its plain fields', () => {
  expect(cloudEventOf(storedEvent({ type: 'VersionRemoved', data: { versionId: 'v1' } }, place), facts)).toEqual({
    specversion: '1.0',
    id: '00000000-0000-4000-8000-003000000000',
    source: 'urn:roughmix:log:log-1',
    type: 'roughmix.VersionRemoved',
    subject: 'project-p1',
    time: '2023-11-14T22:13:20.000Z',
    partitionkey: 'project-p1',
    revision: 4,
    position: '3000000000',
    commandid: 'c1',
    correlationid: 'c1',
    actoruid: 'ana',
    datacontenttype: 'application/json',
    data: { versionId: 'v1' },
  });
  expect(cloudEventOf(renamed, facts).data).toEqual({});
});

test('the cause, trace and actor are included if the event has them', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const meta = { ...renamed.meta, actorUid: null, causationId: 'event-7', traceparent, request: 'a-hash' };
  const event = cloudEventOf({ ...renamed, meta }, facts);
  expect(event).toMatchObject({ causationid: 'event-7', traceparent });
  expect(event).not.toHaveProperty('actoruid');
  expect(JSON.stringify(event)).not.toContain('a-hash');
});

test('an event of an unknown type is published without data, because none of its fields is known to be plain', () => {
  const unknown = cloudEventOf({ ...renamed, type: 'SongSung', data: { words: 'in the clear' } }, facts);
  expect(unknown.type).toBe('roughmix.SongSung');
  expect(Object.keys(unknown)).not.toContain('data');
  expect(Object.keys(unknown)).not.toContain('datacontenttype');
});

test('attribute names are lower-case letters and digits, as the standard requires', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const all = cloudEventOf({ ...renamed, meta: { ...renamed.meta, causationId: 'event-7', traceparent } }, facts);
  for (const name of Object.keys(all)) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
});

test('an event is sent as one JSON text with its stream name as the key', () => {
  const event = cloudEventOf(renamed, facts);
  expect(outgoing(event)).toEqual({ key: 'project-p1', id: renamed.id, type: 'roughmix.ProjectRenamed', body: JSON.stringify(event) });
});
