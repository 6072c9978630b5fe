import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import { Refused } from '../../kernel/refusal.js';
import { CommandAnswer } from '../http/command-answer.js';
import type { ReadSide } from '../projections/read-side.js';
import type { CommandContext, Executed, ExecuteOptions, Streams } from './streams.js';

/** One kind of stream: its decider, and the names of its streams. */
export interface StreamKind<State, Command, Event extends DomainEvent> {
  readonly decider: Decider<State, Command, Event>;
  /** The stream of an id. */
  readonly stream: (id: string) => string;
  /** The collections that show the stream's subject itself. A command waits for these; other reads of its answer wait for their own collections. */
  readonly collections: readonly string[];
}

export interface RunOptions<State, Event extends DomainEvent> extends ExecuteOptions<State, Event> {
  /** Decides and appends once the command is built. Can make both part of longer work, such as checking a quota before them. */
  readonly turn?: (append: () => Promise<Executed<Event>>) => Promise<Executed<Event>>;
}

/** Runs commands on one kind of stream and waits until its own read models show what they did. A slice with streams of its own wraps one of these. */
export class BoundStream<State, Command extends { readonly type: string }, Event extends DomainEvent> {
  constructor(
    private readonly kind: StreamKind<State, Command, Event>,
    private readonly streams: Streams,
    private readonly readSide: ReadSide,
  ) {}

  /**
   * @param command the command, or a function that builds it; a repeat is answered before it is built
   * @throws Refused as `Streams.execute`; `stream.unreadable` before anything is written, when a person asks and the read models would not show it; as
   * `ReadSide.waitFor` when they lag
   */
  async run(
    context: CommandContext,
    id: string,
    command: Command | (() => Promise<Command>),
    { turn = (append) => append(), ...options }: RunOptions<State, Event> = {},
  ): Promise<Executed<Event>> {
    const { collections } = this.kind;
    const stream = this.kind.stream(id);
    if (context.actor.uid !== null) this.readSide.requireReadable(stream, collections);
    const execute = (ready: Command): Promise<Executed<Event>> =>
      turn(async () => {
        const executed = await this.execute(context, id, ready, options);
        // Before the turn ends, so that the next one reads what this one wrote.
        this.readSide.remember({ position: executed.position, uid: context.actor.uid });
        return executed;
      });
    const done = await (typeof command === 'function' ? this.unlessRepeated(context, id, async () => execute(await command())) : execute(command));
    await this.readSide.wrote({ stream, position: done.position, uid: context.actor.uid }, collections);
    return done;
  }

  /** As {@link run}, and waits until every read model holds it: for data that must be gone everywhere. */
  async runEverywhere(context: CommandContext, id: string, command: Command): Promise<Executed<Event>> {
    const done = await this.run(context, id, command);
    await this.readSide.waitFor(done.position);
    return done;
  }

  /** A command's answer from what it did and the payload that is read afterwards: each read waits until it shows what was done, or what the
   * command that changed nothing was decided on. */
  async answer<Body>(done: Executed<Event>, make: () => Promise<NoInfer<AsPreferred<Body>>>): Promise<CommandAnswer<Body>> {
    const { position, decidedAt, events, replayed } = done;
    const body = await this.readSide.answer({ stream: events[0]?.stream ?? '', position: decidedAt }, make);
    return new CommandAnswer(body, position, replayed);
  }

  /** For results that the system recorded: lagging read models do not fail them, because the work must not be repeated. */
  async record(context: CommandContext, id: string, command: Command): Promise<Executed<Event>> {
    const done = await this.execute(context, id, command);
    await this.readSide.waitBestEffort(done.position, this.kind.collections);
    return done;
  }

  /** The folded state as of now, for reads that must not be stale. It must not be changed. */
  state(id: string): Promise<Readonly<State>> {
    return this.streams.state(this.kind.decider, this.kind.stream(id));
  }

  private execute(context: CommandContext, id: string, command: Command, options?: ExecuteOptions<State, Event>): Promise<Executed<Event>> {
    return this.streams.execute(this.kind.decider, this.kind.stream(id), command, context, options);
  }

  private async unlessRepeated(context: CommandContext, id: string, work: () => Promise<Executed<Event>>): Promise<Executed<Event>> {
    const isLookedFor = this.streams.mayBeRepeated(this.kind.decider, this.kind.stream(id), context);
    const before = isLookedFor ? await this.repeated(context, id) : null;
    if (before !== null) return before;
    try {
      return await work();
    } catch (error) {
      // The same command sent twice at once: the other one ran (and took the file) while this one was being made.
      // After `store.busy` it would only wait for its turn again.
      const isDecided = error instanceof Refused && error.code !== 'store.busy';
      const meanwhile = isDecided ? await this.repeated(context, id) : null;
      if (meanwhile === null) throw error;
      return meanwhile;
    }
  }

  /** What an earlier sending of the same command did, null when this is the first. Decides nothing. */
  private repeated(context: CommandContext, id: string): Promise<Executed<Event> | null> {
    return this.streams.repeated(this.kind.decider, this.kind.stream(id), context);
  }
}
