import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { ProblemCode, ProblemExtras } from '@roughmix/contracts/shared/problems.js';
import { expect } from '@jest/globals';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { type ProjectCommand, projectDecider } from '../projects/project.decider.js';
import type { ProjectState } from '../projects/project.state.js';
import type { ProjectHistory } from './project-history.js';

/** The result of a command, for exact comparison. */
export interface Outcome {
  readonly answer: readonly ProjectStreamEvent[] | Refusal;
  then(events: readonly ProjectStreamEvent[]): void;
  thenNothing(): void;
  thenRefused(code: ProblemCode, extras?: ProblemExtras): void;
}

/** The state that a history folds to. */
export const folded = (history: ProjectHistory): ProjectState =>
  history.events.reduce<ProjectState>((state, event) => projectDecider.evolve(state, event), projectDecider.initial());

function outcomeOf(answer: readonly ProjectStreamEvent[] | Refusal): Outcome {
  return {
    answer,
    // oxlint-disable-next-line unicorn/no-thenable -- reads as given, when, then; never awaited
    then: (events) => expect(answer).toEqual(events),
    thenNothing: () => expect(answer).toEqual([]),
    thenRefused: (code, extras) => expect(answer).toEqual(refuse(code, extras)),
  };
}

/** Runs a command on a project with this history: `given(history).when(command, bob).then([...])`. `null` is the system. */
export function given(history: ProjectHistory): { when(command: ProjectCommand, uid: Uid | null): Outcome } {
  return {
    when(command, uid) {
      const state = folded(history);
      const before = JSON.stringify(state);
      const answer = projectDecider.decide(command, state, { uid });
      expect(JSON.stringify(state)).toBe(before);
      return outcomeOf(answer);
    },
  };
}

/** The events of a command that must not be refused. */
export function eventsOf({ answer }: Outcome): readonly ProjectStreamEvent[] {
  if (isRefusal(answer)) throw new Error(`refused: ${answer.refused}`);
  return answer;
}
