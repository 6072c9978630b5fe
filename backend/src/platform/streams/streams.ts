import { randomUUID } from 'node:crypto';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Actor, Decider, Stored } from '../../kernel/decider.js';
import type { DomainEvent, EventMeta, NewEvent, StoredEvent } from '../../kernel/event.js';
import { isRefusal, Refused } from '../../kernel/refusal.js';
import { type EventStore, WrongExpectedRevision } from '../event-store/event-store.js';
import type { FieldSealer } from '../personal-data/field-sealer.js';
import { Contention } from './contention.js';
import { commandKey, type FoldedStream } from './folded-stream.js';
import type { StreamFolds } from './stream-folds.js';

/** Who asked, with what id, in which request. `at` is the server's instant. */
export interface CommandContext extends Omit<EventMeta, 'actorUid'> {
  readonly actor: Actor;
  /** The request prefers an answer without `updatedProject`; not stored. */
  readonly isMinimal?: boolean | undefined;
}

/**
 * What a command did: its events (none when nothing had to change), and whether they are those of an earlier sending of the same command.
 * Events just appended all carry the position of the last one: stores report no other.
 */
export interface Executed<Event extends DomainEvent> {
  readonly events: readonly Stored<Event>[];
  /** The position of the last event, null without one. */
  readonly position: Position | null;
  /** How far the log must be shown by the command's answer: its own last event, or without one the stream's last event at the decision. */
  readonly decidedAt: Position;
  readonly replayed: boolean;
}

/** Work that must be done before an append, such as copying a file. It may take as long as a slow file server does. */
export type Preparation = () => Promise<void>;

export interface ExecuteOptions<State, Event extends DomainEvent> {
  /**
   * Called after each decision: what must be done before these events can be appended, such as moving a file to where they say it is; null when it is done. It runs
   * outside the stream's turn, so that other commands need not wait for it; then the command is decided again.
   */
  readonly prepare?: (events: readonly Event[], state: State) => Preparation | null;
  /** Look up the command's id before checking access: for removals and leaving, where the actor of a repeat no longer has access. */
  readonly repeatBeforeSight?: boolean;
}

/** A command as it was sent, and when it arrived. */
interface Request<State, Command, Event extends DomainEvent> {
  readonly command: Command;
  readonly context: CommandContext;
  readonly options: ExecuteOptions<State, Event>;
  readonly since: number;
}

/** A preparation that is needed once, whatever is decided. */
export function prepareOnce(work: Preparation): () => Preparation | null {
  let isDone = false;
  const prepare = async (): Promise<void> => {
    await work();
    isDone = true;
  };
  return () => (isDone ? null : prepare);
}

/**
 * A command that loses to other processes is tried at least this often, and until this long after it arrived, so a busy writer cannot starve a permission
 * revocation. Counted from its arrival, so commands queued behind a losing one get their attempts too.
 */
const ATTEMPTS = 5;
const LOSING_MS = 3_000;
/**
 * A decision that needs another preparation each time, because others decide in between, is given up after this many. More than the uploads of a person that
 * may wait: each of them moves the path of the others' files.
 */
const PREPARATIONS = 20;
/** The longest wait for a turn. Behind a stalled log each command would otherwise wait as long again as the one before. */
const TURN_MS = 10_000;

/**
 * Runs commands on streams: waits for the command's turn, folds new events, recognises a repeated command, decides and appends. After a conflict it decides
 * again on fresh state.
 */
export class Streams {
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly contention = new Contention();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly store: Pick<EventStore, 'append'>,
    private readonly folds: StreamFolds,
    private readonly sealer: FieldSealer,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws Refused with the decider's code, `command.key-reused`, or `store.busy` after 3 s of conflicts (at least five attempts) or 10 s without a turn. */
  async execute<State, Command extends { readonly type: string }, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    context: CommandContext,
    options: ExecuteOptions<State, Event> = {},
  ): Promise<Executed<Event>> {
    const since = this.now();
    for (let prepared = 0; ; prepared += 1) {
      const outcome = await this.executeInTurn(decider, stream, { command, context, options, since });
      if (typeof outcome !== 'function') return outcome;
      if (prepared === PREPARATIONS) throw new Refused('store.busy');
      await outcome();
    }
  }

  /** One turn: the command's result, or what has to be prepared first. */
  private executeInTurn<State, Command extends { readonly type: string }, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    request: Request<State, Command, Event>,
  ): Promise<Executed<Event> | Preparation> {
    const { since } = request;
    return this.inTurn(stream, async () => {
      await this.contention.giveWay(stream);
      for (let attempt = 1; attempt <= ATTEMPTS || this.now() - since < LOSING_MS; attempt += 1) {
        const known = this.folds.revisionOf(decider, stream);
        const fold = await this.folds.current(decider, stream);
        if (known !== null && fold.revision > known) this.contention.seen(stream);
        try {
          const done = await this.decideAndAppend(decider, fold, request);
          if (typeof done !== 'function') this.contention.won(stream);
          return done;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          await this.contention.lost(stream, attempt);
        }
      }
      throw new Refused('store.busy');
    });
  }

  /**
   * False when a command can be built without looking for an earlier sending: this process knows of none, and `execute` sees those of other processes.
   * Answers from memory, while `repeated` reads the log.
   */
  mayBeRepeated<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    { actor, commandId }: Pick<CommandContext, 'actor' | 'commandId'>,
  ): boolean {
    const fold = this.folds.known<State>(decider, stream);
    return fold === null || decider.sees(fold.state, actor) !== null || fold.commands.has(commandKey(actor.uid, commandId));
  }

  /** What an earlier sending of the same command did, null when this is the first. @throws Refused when the actor may not know of the stream, or `command.key-reused` */
  repeated<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<Executed<Event> | null> {
    return this.inTurn(stream, async () => {
      const fold = await this.folds.current(decider, stream);
      const hidden = decider.sees(fold.state, context.actor);
      if (hidden !== null) throw new Refused(hidden.refused, hidden.extras);
      const events = await this.folds.earlier<Event>(fold, context);
      return events === null ? null : executed(fold, events, true);
    });
  }

  /** The folded state as of now. It must not be changed. */
  async state<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string): Promise<State> {
    return this.inTurn(stream, async () => (await this.folds.current(decider, stream)).state);
  }

  private async decideAndAppend<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    fold: FoldedStream<State>,
    { command, context, options }: Request<State, Command, Event>,
  ): Promise<Executed<Event> | Preparation> {
    const hidden = decider.sees(fold.state, context.actor);
    if (hidden !== null && options.repeatBeforeSight !== true) throw new Refused(hidden.refused, hidden.extras);
    const earlier = await this.folds.earlier<Event>(fold, context);
    if (earlier !== null) return executed(fold, earlier, true);
    if (hidden !== null) throw new Refused(hidden.refused, hidden.extras);
    const decided = decider.decide(command, fold.state, context.actor);
    if (isRefusal(decided)) throw new Refused(decided.refused, decided.extras);
    if (decided.length === 0) return executed(fold, [], false);
    const preparation = options.prepare?.(decided, fold.state) ?? null;
    if (preparation !== null) return preparation;
    const stored = await this.append(fold, decided, context);
    this.folds.advance(decider, fold, stored);
    return executed(fold, stored as readonly Stored<Event>[], false);
  }

  private async append<State>(fold: FoldedStream<State>, decided: readonly DomainEvent[], context: CommandContext): Promise<readonly StoredEvent[]> {
    const { actor, isMinimal: _isMinimal, ...rest } = context;
    // Clocks of several processes differ and may be set back, but a stream's time never runs backwards.
    const meta = { actorUid: actor.uid, ...rest, at: Math.max(context.at, fold.lastAt) };
    const events = decided.map((event): NewEvent => ({ type: event.type, data: event.data, id: randomUUID(), meta }));
    const sealed = await Promise.all(events.map((event) => this.sealer.seal(fold.stream, event)));
    try {
      const appended = await this.store.append(fold.stream, fold.revision === -1 ? 'none' : fold.revision, sealed);
      const first = appended.revision - events.length + 1;
      return events.map((event, at) => ({ ...event, stream: fold.stream, revision: first + at, position: appended.position }));
    } catch (error) {
      // After a conflict the fold is still valid up to its revision.
      if (!(error instanceof WrongExpectedRevision)) this.folds.forget(fold.stream);
      throw error;
    }
  }

  /** One command at a time on each stream, in the order of arrival. @throws Refused `store.busy` when it waited too long for its turn; nothing was done */
  private inTurn<Answer>(stream: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.turns.get(stream) ?? Promise.resolve();
    const latest = this.now() + TURN_MS;
    const mine = before.then(() => {
      if (this.now() > latest) throw new Refused('store.busy');
      return work();
    });
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(stream, settled);
    void settled.then(() => {
      if (this.turns.get(stream) === settled) this.turns.delete(stream);
    });
    return mine;
  }
}

function executed<Event extends DomainEvent>(fold: FoldedStream<unknown>, events: readonly Stored<Event>[], replayed: boolean): Executed<Event> {
  const position = events.at(-1)?.position ?? null;
  return { events, position, decidedAt: position ?? fold.position, replayed };
}
