import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import { Refused } from '../../kernel/refusal.js';
import { CommandAnswer } from '../http/command-answer.js';
import type { ReadSide } from '../projections/read-side.js';
import type { CommandContext, Executed, ExecuteOptions, Streams } from './streams.js';

/** What one kind of stream is made of: who decides on it, and how its streams are named. */
export interface StreamKind<State, Command, Event extends DomainEvent> {
  readonly decider: Decider<State, Command, Event>;
  /** The stream of an id. */
  readonly stream: (id: string) => string;
  /** The collections that show the stream's subject itself. A command waits for these; whatever else its answer reads waits for itself. */
  readonly collections: readonly string[];
}

/** Runs commands on one kind of stream and waits until its own read models show what they did. A slice with streams of its own wraps one of these. */
export class BoundStream<State, Command extends { readonly type: string }, Event extends DomainEvent> {
  constructor(
    private readonly kind: StreamKind<State, Command, Event>,
    private readonly streams: Streams,
    private readonly readSide: ReadSide,
  ) {}

  /**
   * @param command what is asked for, or what makes it; a repeat is answered before anything is made
   * @throws Refused as `Streams.execute`; `stream.unreadable` before anything is written, when a person asks and the read models would not show it; as
   * `ReadSide.hold` when they lag
   */
  async run(
    context: CommandContext,
    id: string,
    command: Command | (() => Promise<Command>),
    options?: ExecuteOptions<State, Event>,
  ): Promise<Executed<Event>> {
    const { collections } = this.kind;
    const stream = this.kind.stream(id);
    if (context.actor.uid !== null) this.readSide.requireReadable(stream, collections);
    const execute = (ready: Command): Promise<Executed<Event>> => this.execute(context, id, ready, options);
    const done = await (typeof command === 'function' ? this.unlessRepeated(context, id, async () => execute(await command())) : execute(command));
    await this.readSide.wrote({ stream, position: done.position, uid: context.actor.uid }, collections);
    return done;
  }

  /** As {@link run}, and waits until every read model holds it: for what must be gone everywhere. */
  async runEverywhere(context: CommandContext, id: string, command: Command): Promise<Executed<Event>> {
    const done = await this.run(context, id, command);
    await this.readSide.hold(done.position);
    return done;
  }

  /** A command's answer from what it did and the payload that is read afterwards: each read waits until it shows what was done. */
  async answer<Body>(done: Executed<Event>, make: () => Promise<NoInfer<AsPreferred<Body>>>): Promise<CommandAnswer<Body>> {
    const { position, events, replayed } = done;
    const body = await this.readSide.answer({ stream: events[0]?.stream ?? '', position }, make);
    return new CommandAnswer(body, position, replayed);
  }

  /** For what the system found out: read models that lag do not undo it, and it need not be found out again. */
  async record(context: CommandContext, id: string, command: Command): Promise<void> {
    const { position } = await this.execute(context, id, command);
    await this.readSide.waitBestEffort(position, this.kind.collections);
  }

  /** The folded state as of now, for what must not be stale. Read it, never change it. */
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

  /** What an earlier sending of the same command did, null when this is the first; nothing is decided. */
  private repeated(context: CommandContext, id: string): Promise<Executed<Event> | null> {
    return this.streams.repeated(this.kind.decider, this.kind.stream(id), context);
  }
}
