import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse, stringify } from 'yaml';
import { cloudEventOf, sourceOf } from '../platform/stream-out/cloud-event.js';
import { slices } from '../slices.js';
import { storedSamples } from '../testing/stored-samples.js';
import type { AsyncApiDocument } from './document.js';
import { eventsDocument } from './events-document.js';
import { socketDocument } from './socket-document.js';

const DOCUMENTS = { 'docs/asyncapi-events.yaml': eventsDocument(slices.fieldClasses), 'docs/asyncapi-socket.yaml': socketDocument() };
const pages = Object.entries<AsyncApiDocument>(DOCUMENTS);

const ajv = new Ajv({ strict: false, validateFormats: false });
const isAsyncApi = ajv.compile(createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object);

const validatorFor = ({ components }: AsyncApiDocument, schema: object): ValidateFunction =>
  new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, components: { schemas: components.schemas } });

function refsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' && typeof member === 'string' ? [member] : refsIn(member)));
}

const resolvesIn = (document: unknown, ref: string): boolean =>
  ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined), document) !==
  undefined;

describe.each(pages)('%s', (file, document) => {
  test('matches the code', () => {
    expect(readFileSync(file, 'utf8')).toBe(stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }));
  });

  test('is valid AsyncAPI 3.0 by the official schema, and every reference resolves', () => {
    const written: unknown = parse(readFileSync(file, 'utf8'));
    isAsyncApi(written);
    expect(isAsyncApi.errors).toBeNull();
    expect(refsIn(written).filter((ref) => !resolvesIn(written, ref))).toEqual([]);
  });
});

describe('the event stream', () => {
  const document = DOCUMENTS['docs/asyncapi-events.yaml'];
  const facts = { source: sourceOf('log-1'), isKnown: (type: string) => slices.fieldClasses.has(type) };

  test('has a message for each event of each slice, and one for unknown events', () => {
    expect(Object.keys(document.channels['events']?.messages ?? {})).toEqual([...slices.fieldClasses.keys(), 'Unknown']);
  });

  test.each(storedSamples().map((event) => [event.type, event] as const))('%s matches its message', (type, event) => {
    // A sample holds in plain text what the log seals, so its sealed fields are removed first.
    const { payload } = document.components.messages[type] ?? { payload: { not: {} } };
    const fits = validatorFor(document, payload);
    const sealed = sealedAs(event.data, slices.fieldClasses.get(type) ?? {});
    fits(JSON.parse(JSON.stringify(cloudEventOf({ ...event, data: sealed }, facts))));
    expect(fits.errors).toBeNull();
    expect(fits({ ...cloudEventOf({ ...event, data: { ...(sealed as object), words: 'more' } }, facts) })).toBe(false);
  });

  test('an unknown event has no data', () => {
    const [sample] = storedSamples();
    if (sample === undefined) throw new Error('there are no samples');
    const fits = validatorFor(document, document.components.messages['Unknown']?.payload ?? {});
    expect(fits(JSON.parse(JSON.stringify(cloudEventOf({ ...sample, type: 'SongSung' }, facts))))).toBe(true);
    expect(fits(JSON.parse(JSON.stringify(cloudEventOf(sample, facts))))).toBe(false);
  });
});

/** A sample's data with its texts sealed by their field classes. */
function sealedAs(data: unknown, classes: Readonly<Record<string, unknown>>, path = ''): unknown {
  const fieldClass = classes[path];
  if (fieldClass !== undefined && fieldClass !== 'plain' && data !== '' && data !== null) return { $sealed: 'AAAA', by: 'ana' };
  if (Array.isArray(data)) return data.map((member) => sealedAs(member, classes, `${path}[]`));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, member]) => [name, sealedAs(member, classes, path === '' ? name : `${path}.${name}`)]));
}
