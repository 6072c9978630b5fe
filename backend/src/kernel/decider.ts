import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { DomainEvent, StoredEvent } from './event.js';
import type { Refusal } from './refusal.js';

/** Who asks for a command: a person, or the system itself for what a reactor found out. */
export interface Actor {
  readonly uid: Uid | null;
}

/** The actor of reactors. */
export const SYSTEM: Actor = { uid: null };

/** What is asked for: a type in the imperative, and its data with every id, number and instant already made. */
export type CommandOf<Commands> = { [Type in keyof Commands & string]: { readonly type: Type; readonly data: Commands[Type] } }[keyof Commands & string];

/** Events of a type map as the log gives them back. */
export type Stored<Event extends DomainEvent> = Event extends DomainEvent<infer Type, infer Data> ? StoredEvent<Type, Data> : never;

/** For each command of a map the rule that answers it; a command without its rule does not compile. `Who` is what the rules ask about the actor. */
export type Rules<Commands, State, Who, Event extends DomainEvent> = {
  readonly [Type in keyof Commands]: (data: Commands[Type], state: State, who: Who) => readonly Event[] | Refusal;
};

/** For some event types how they change the folded state. */
export type Folds<Events, State> = {
  readonly [Type in keyof Events]: (state: State, event: StoredEvent<Type & string, Events[Type]>) => State;
};

/**
 * The whole of one kind of stream: how its state is folded and what is allowed on it. Pure: no clock, no randomness, no input or output.
 * `evolve` owns the state it is given and may change it in place; nobody else keeps a reference to an older one.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  /** Keys snapshots together with `version`, which rises when the state's shape does. */
  readonly name: string;
  readonly version: number;
  initial(): State;
  /** The state again from what `JSON.parse` made of it, which it may change. Missing: states are plain JSON. */
  thaw?(json: unknown): State;
  evolve(state: State, event: Stored<Event>): State;
  decide(command: Command, state: State, actor: Actor): readonly Event[] | Refusal;
  /** Null when the actor may know of the stream; else the refusal, asked before a command's id is looked up. */
  sees(state: State, actor: Actor): Refusal | null;
}
