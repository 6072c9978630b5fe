import { expect, test } from '@jest/globals';
import { PendingAnalyses } from './pending-analyses.js';

const meta = { actorUid: 'ana', at: 0, commandId: 'c', correlationId: 'c', causationId: null };

/** The position to resume analysis after, for a log of these events (type, stream and version) at positions 10, 20 and so on. */
function afterOf(...events: readonly (readonly [type: string, stream: string, versionId?: string])[]): number | null {
  const pending = new PendingAnalyses();
  events.forEach(([type, stream, versionId], at) =>
    pending.see({ id: `${at}`, type, stream, data: { versionId }, meta, revision: at, position: 10 * (at + 1) }),
  );
  return pending.after;
}

test('analysis resumes before the first version without a result in the log', () => {
  expect(afterOf()).toBeNull();
  expect(afterOf(['VersionAdded', 'p', 'v'], ['VersionAnalyzed', 'p', 'v'])).toBeNull();
  expect(afterOf(['VersionAdded', 'p', 'v'])).toBe(0);
  expect(afterOf(['ProjectCreated', 'p'], ['VersionAdded', 'p', 'v'], ['VersionAdded', 'q', 'v'], ['VersionRejected', 'p', 'v'])).toBe(20);
  expect(afterOf(['VersionAdded', 'p', 'v'], ['VersionAnalyzed', 'p', 'v'], ['VersionReplaced', 'p', 'v'])).toBe(20);
  expect(afterOf(['VersionAdded', 'p', 'v'], ['VersionAdded', 'q', 'w'], ['VersionRemoved', 'p', 'v'], ['ProjectRemoved', 'q'])).toBeNull();
});
