import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type Ground, openGround } from '../../testing/ground.js';
import { ReadModels } from './read-models.js';

let ground: Ground;
let reads: ReadModels;
const write = async (physical: string, text: string): Promise<void> => {
  await ground.documents.declare({ name: physical, indexes: [] });
  await ground.documents.save({ projector: physical, checkpoint: 1, writes: [{ collection: physical, id: 'a', body: { text }, position: 1 }] });
};

beforeEach(async () => {
  ground = await openGround();
  reads = new ReadModels(ground.documents);
  await write('notes_v1_g1', 'first');
  await write('notes_v1_g2', 'second');
  reads.serve([['notes', 'notes_v1_g1']]);
});
afterEach(() => ground.close());

test('what nothing of this shape is served for is refused for now; a name that nobody has is a mistake', async () => {
  reads.withdraw(['notes']);
  await expect(reads.get('notes', 'a')).rejects.toThrow(new Refused('store.away'));
  await expect(reads.get('others', 'a')).rejects.toThrow('no projector fills others');
});

describe('where another process may replace what is read', () => {
  /** What is served elsewhere by now, and how often it was looked for. */
  const elsewhere = (physical: string, isFresh: boolean): { looks: number } => {
    const seen = { looks: 0 };
    const look = (): Promise<void> => {
      seen.looks += 1;
      reads.serve([['notes', physical]]);
      return Promise.resolve();
    };
    reads.pointBy({ isFresh: () => isFresh, look });
    return seen;
  };

  test('an answer from what was dropped meanwhile is not given: it is read once more where it is now', async () => {
    const seen = elsewhere('notes_v1_g2', false);
    await ground.documents.drop('notes_v1_g1');
    expect([await reads.get('notes', 'a'), seen.looks]).toEqual([{ text: 'second' }, 1]);
  });

  test('an answer of whose place nothing was learned for too long is asked again where it is now', async () => {
    const seen = elsewhere('notes_v1_g2', false);
    expect([await reads.getMany('notes', ['a']), seen.looks]).toEqual([[{ text: 'second' }], 1]);
  });

  test('an answer from where things still are is given', async () => {
    const old = elsewhere('notes_v1_g1', false);
    expect([await reads.get('notes', 'a'), old.looks]).toEqual([{ text: 'first' }, 1]);
    const fresh = elsewhere('notes_v1_g2', true);
    expect([await reads.get('notes', 'a'), fresh.looks]).toEqual([{ text: 'first' }, 0]);
  });
});
