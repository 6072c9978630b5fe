import { expect, test } from '@jest/globals';
import type { Stored } from '../../kernel/decider.js';
import { isRefusal } from '../../kernel/refusal.js';
import { storedEvent } from '../stored-event.js';
import { type RehearsalCommand, rehearsalDecider, type RehearsalState } from './rehearsal.decider.js';
import type { RehearsalEvent } from './rehearsal.events.js';

const history = (...events: readonly RehearsalEvent[]): RehearsalState =>
  events
    .map((event, at) => storedEvent(event, { stream: 'rehearsal-r1', revision: at, position: at + 1 }) as Stored<RehearsalEvent>)
    .reduce((state, event) => rehearsalDecider.evolve(state, event), rehearsalDecider.initial());

const scheduled: RehearsalEvent = { type: 'RehearsalScheduled', data: { hostUid: 'ana', invitedUids: ['bob', 'uma'], place: 'Barn', startsAt: 100 } };
const joined: RehearsalEvent = { type: 'RehearsalJoined', data: { uid: 'bob' } };
const none = history();
const planned = history(scheduled, joined);
const moved = history(scheduled, joined, { type: 'RehearsalMoved', data: { from: 100, to: 200 } });
const cancelled = history(scheduled, joined, { type: 'RehearsalCancelled', data: { startsAt: 100 } });
const started = history(scheduled, joined, { type: 'RehearsalStarted', data: { startsAt: 100 } });

const join: RehearsalCommand = { type: 'JoinRehearsal', data: {} };
const leave: RehearsalCommand = { type: 'LeaveRehearsal', data: {} };
const move: RehearsalCommand = { type: 'MoveRehearsal', data: { startsAt: 200 } };
const cancel: RehearsalCommand = { type: 'CancelRehearsal', data: {} };
const start: RehearsalCommand = { type: 'StartRehearsal', data: { startsAt: 100 } };

/** The types of the events, or the code of the refusal. */
function answer(command: RehearsalCommand, state: RehearsalState, uid: string | null): string {
  const decided = rehearsalDecider.decide(command, state, { uid });
  return isRefusal(decided) ? decided.refused : decided.map(({ type }) => type).join();
}

test.each<readonly [command: RehearsalCommand, host: string, member: string, invited: string, stranger: string, system: string]>([
  [join, '', '', 'RehearsalJoined', 'route.not-found', 'actor.mismatch'],
  [leave, 'actor.mismatch', 'RehearsalLeft', '', 'route.not-found', 'actor.mismatch'],
  [move, 'RehearsalMoved', 'actor.mismatch', 'actor.mismatch', 'route.not-found', 'actor.mismatch'],
  [cancel, 'RehearsalCancelled', 'actor.mismatch', 'actor.mismatch', 'route.not-found', 'actor.mismatch'],
  [start, 'actor.mismatch', 'actor.mismatch', 'actor.mismatch', 'actor.mismatch', 'RehearsalStarted'],
])('$type by the host, a member, an invited person, a stranger and the system', (command, ...expected) => {
  expect(['ana', 'bob', 'uma', 'eve', null].map((uid) => answer(command, planned, uid))).toEqual(expected);
});

test.each<readonly [what: string, state: RehearsalState, join: string, move: string, cancel: string, start: string]>([
  ['does not exist', none, 'route.not-found', 'route.not-found', 'route.not-found', ''],
  ['was moved', moved, 'RehearsalJoined', '', 'RehearsalCancelled', ''],
  ['was cancelled', cancelled, 'request.invalid', 'request.invalid', '', ''],
  ['has started', started, 'request.invalid', 'request.invalid', 'request.invalid', ''],
])('a rehearsal that %s', (_what, state, ...expected) => {
  expect([answer(join, state, 'uma'), answer(move, state, 'ana'), answer(cancel, state, 'ana'), answer(start, state, null)]).toEqual(expected);
});

test('only the host and invited users may know that a rehearsal exists', () => {
  expect(['ana', 'bob', 'uma', 'eve'].map((uid) => rehearsalDecider.sees(planned, { uid })?.refused ?? 'yes')).toEqual([
    'yes',
    'yes',
    'yes',
    'route.not-found',
  ]);
});
