import { expect, test } from '@jest/globals';
import { traceContextOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`;
const KNOWN = { traceId: TRACE, traceparent: GIVEN };

test('a well-formed traceparent names its trace', () => {
  expect(traceContextOf(GIVEN)).toEqual(KNOWN);
});

test('a traceparent of a later version is read by the fields of version 00', () => {
  expect(traceContextOf(`cc${GIVEN.slice(2)}`)).toEqual(KNOWN);
  expect(traceContextOf(`cc${GIVEN.slice(2)}-a-later-field`)).toEqual(KNOWN);
});

test.each<[what: string, header: string | readonly string[] | undefined]>([
  ['nothing', undefined],
  ['an empty header', ''],
  ['two headers', [GIVEN, GIVEN]],
  ['two headers in one', `${GIVEN}, ${GIVEN}`],
  ['capitals', GIVEN.toUpperCase()],
  ['a trace of zeros', GIVEN.replace(TRACE, '0'.repeat(32))],
  ['a parent of zeros', GIVEN.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ['version ff', `ff${GIVEN.slice(2)}`],
  ['an extra field in version 00', `${GIVEN}-x`],
  ['a short trace', GIVEN.replace(TRACE, TRACE.slice(1))],
  ['no flags', GIVEN.slice(0, -3)],
  ['spaces', ` ${GIVEN}`],
  ['something else', "'; drop table events; --"],
])('%s is not a traceparent', (_what, header) => {
  expect(traceContextOf(header)).toBeNull();
});
