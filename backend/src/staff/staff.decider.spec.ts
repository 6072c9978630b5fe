import { expect, test } from '@jest/globals';
import { SYSTEM } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { storedEvent } from '../testing/stored-event.js';
import { type StaffCommand, staffDecider } from './staff.decider.js';

const makeAnalyst: StaffCommand = { type: 'ChangeStaffRole', data: { uid: 'ana', role: 'analyst' } };
const analyst = staffDecider.evolve(
  staffDecider.initial(),
  storedEvent(
    { type: 'StaffRoleChanged' as const, data: { uid: 'ana', from: null, to: 'analyst' as const } },
    { stream: 'staff-ana', revision: 0, position: 1, at: 5, actorUid: null },
  ),
);

test('a role is given and taken away', () => {
  expect(staffDecider.decide(makeAnalyst, staffDecider.initial(), SYSTEM)).toEqual([
    { type: 'StaffRoleChanged', data: { uid: 'ana', from: null, to: 'analyst' } },
  ]);
  expect(staffDecider.decide({ type: 'ChangeStaffRole', data: { uid: 'ana', role: null } }, analyst, SYSTEM)).toEqual([
    { type: 'StaffRoleChanged', data: { uid: 'ana', from: 'analyst', to: null } },
  ]);
});

test('the same role again changes nothing', () => {
  expect(staffDecider.decide(makeAnalyst, analyst, SYSTEM)).toEqual([]);
});

test('no person gives roles', () => {
  expect(staffDecider.decide(makeAnalyst, staffDecider.initial(), { uid: 'ana' })).toEqual(refuse('staff.required'));
  expect(staffDecider.sees(analyst, { uid: 'ana' })).toEqual(refuse('staff.required'));
});
