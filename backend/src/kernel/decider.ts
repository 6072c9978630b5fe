import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { DomainEvent, StoredEvent } from './event.js';
import type { Refusal } from './refusal.js';

/** Who issues a command: a person, or the system (null) on behalf of a reactor. */
export interface Actor {
  readonly uid: Uid | null;
}

/** The actor of reactors. */
export const SYSTEM: Actor = { uid: null };

/** A command: a type in the imperative, and its data. Every id, number and instant is already in it. */
export type CommandOf<Commands> = { [Type in keyof Commands & string]: { readonly type: Type; readonly data: Commands[Type] } }[keyof Commands & string];

/** The events of a type map as they are read from the log. */
export type Stored<Event extends DomainEvent> = Event extends DomainEvent<infer Type, infer Data> ? StoredEvent<Type, Data> : never;

/** One rule for each command of a map; a missing rule does not compile. `Who` is what the rules need to know about the actor. */
export type Rules<Commands, State, Who, Event extends DomainEvent> = {
  readonly [Type in keyof Commands]: (data: Commands[Type], state: State, who: Who) => readonly Event[] | Refusal;
};

/** How each event type changes the folded state. */
export type Folds<Events, State> = {
  readonly [Type in keyof Events]: (state: State, event: StoredEvent<Type & string, Events[Type]>) => State;
};

/**
 * One kind of stream: how its state is folded from events, and which commands it allows. Pure: no clock, no randomness, no I/O.
 * `evolve` owns the state it is given and may change it in place; callers keep no reference to an older state.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  /** Part of a snapshot's key. */
  readonly name: string;
  initial(): State;
  /** Restores a state from its parsed JSON, which it may modify. Not needed when states are plain JSON. */
  thaw?(json: unknown): State;
  evolve(state: State, event: Stored<Event>): State;
  decide(command: Command, state: State, actor: Actor): readonly Event[] | Refusal;
  /** Null when the actor may know that the stream exists, otherwise the refusal. Checked before a command's id is looked up. */
  sees(state: State, actor: Actor): Refusal | null;
}
