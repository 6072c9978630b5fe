import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import { Refused } from '../../kernel/refusal.js';
import { type CommandContext, type Executed, type ExecuteOptions, Streams } from '../streams/streams.js';
import type { Metrics } from './metrics.js';

type Outcome = 'done' | 'repeated' | 'unchanged' | 'refused' | 'failed';

const outcomeOf = ({ replayed, events }: Executed<DomainEvent>): Outcome => (replayed ? 'repeated' : events.length === 0 ? 'unchanged' : 'done');

/** Counts and times commands by type and outcome. */
export class MeasuredStreams extends Streams {
  constructor(
    private readonly metrics: Metrics,
    ...deps: ConstructorParameters<typeof Streams>
  ) {
    super(...deps);
  }

  override async execute<State, Command extends { readonly type: string }, Event extends DomainEvent>(
    ...request: [decider: Decider<State, Command, Event>, stream: string, command: Command, context: CommandContext, options?: ExecuteOptions<State, Event>]
  ): Promise<Executed<Event>> {
    const command = request[2].type;
    const end = this.metrics.commandSeconds.startTimer({ command });
    const count = (outcome: Outcome, code = ''): void => {
      end();
      this.metrics.commands.inc({ command, outcome, code });
    };
    try {
      const done = await super.execute(...request);
      count(outcomeOf(done));
      return done;
    } catch (error) {
      if (error instanceof Refused) count('refused', error.code);
      else count('failed');
      throw error;
    }
  }

  /** A repeat that is recognised before its command is built counts under the kind of its stream. */
  override async repeated<State, Command, Event extends DomainEvent>(
    ...request: [decider: Decider<State, Command, Event>, stream: string, context: CommandContext]
  ): Promise<Executed<Event> | null> {
    const done = await super.repeated(...request);
    if (done !== null) this.metrics.commands.inc({ command: request[0].name, outcome: 'repeated', code: '' });
    return done;
  }
}
