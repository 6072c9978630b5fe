import { expect, test } from '@jest/globals';
import { TopicComparison } from './topic-comparison.js';

const meta = { actorUid: null, at: 0, commandId: 'c', correlationId: 'c', causationId: null };
const untouched = { partitionOf: () => 0, isTrimmed: () => false };

/** A comparison of a log with two streams of three events each, whose positions alternate: a1 b1 a2 b2 a3 b3. */
function ofTwoStreams({ parked }: { readonly parked?: number } = {}) {
  const comparison = new TopicComparison();
  for (const position of [1, 2, 3, 4, 5, 6]) {
    const [stream, revision] = [position % 2 === 1 ? 'a' : 'b', Math.floor((position - 1) / 2)];
    comparison.expect({ id: `${stream}${revision + 1}`, position, stream, revision, type: 'Tried', data: {}, meta }, position === parked);
  }
  const take = (ids: string, { partition = 0, isTrimmed = false } = {}) => {
    for (const id of ids.split(' ')) comparison.take({ partition, id, key: id.slice(0, 1), isTrimmed });
  };
  return { comparison, take };
}

test('a topic with every event in the order of its stream has no findings; repeats in order are counted', () => {
  const { comparison, take } = ofTwoStreams();
  take('b1 a1 a2 b2 a1 a2 a3 b3');
  expect(comparison.result(untouched)).toEqual({
    events: 6,
    messages: 8,
    missing: [],
    repeats: 2,
    disordered: [],
    split: 0,
    others: 0,
    parked: 0,
    trimmed: 0,
  });
});

test('missing events are listed, except parked ones', () => {
  const { comparison, take } = ofTwoStreams({ parked: 3 });
  take('a1 b1 a3 b3');
  const missing = [{ id: 'b2', position: 4, stream: 'b', type: 'Tried' }];
  expect(comparison.result(untouched)).toMatchObject({ missing, parked: 1, disordered: [] });
});

test.each([
  ['first', 1, 'b1 a2 b2 a3 b3'],
  ['middle', 3, 'a1 b1 b2 a3 b3'],
  ['last', 5, 'a1 b1 a2 b2 b3'],
])('the events of a stream are in order without its %s one, if that is parked', (_, parked, ids) => {
  const { comparison, take } = ofTwoStreams({ parked });
  take(ids);
  expect(comparison.result(untouched)).toMatchObject({ missing: [], parked: 1, disordered: [] });
});

test('an event that only follows later ones is out of order, and no longer once these were repeated', () => {
  const { comparison, take } = ofTwoStreams();
  take('a1 a3 a2 b1 b2 b3');
  expect(comparison.result(untouched)).toMatchObject({ missing: [], disordered: [{ stream: 'a', revision: 2, position: 5 }] });
  take('a3');
  expect(comparison.result(untouched)).toMatchObject({ missing: [], disordered: [], repeats: 1 });
});

test('the order of a stream in several partitions is not compared', () => {
  const { comparison, take } = ofTwoStreams();
  take('a3 b1 b2 b3');
  take('a1 a2', { partition: 1 });
  expect(comparison.result(untouched)).toMatchObject({ missing: [], disordered: [], split: 1 });
});

test('events that a topic has deleted because of their age are not missing, but gaps behind them are', () => {
  const { comparison, take } = ofTwoStreams();
  take('a2 b3', { isTrimmed: true });
  const result = comparison.result({ partitionOf: () => 0, isTrimmed: () => true });
  expect(result).toMatchObject({ trimmed: 2, missing: [{ id: 'b2' }, { id: 'a3' }], disordered: [] });
});

test('messages of another log are counted apart, even if their stream has the same name', () => {
  const { comparison, take } = ofTwoStreams();
  take('a1 a9 b1 a2 a3 b2 b3');
  expect(comparison.result(untouched)).toMatchObject({ others: 1, missing: [], repeats: 0, disordered: [] });
});
