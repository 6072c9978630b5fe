import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { networkOf } from '../auth/client-network.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { RefusalBudget } from './refusal-budget.js';
import { refusalEventOf } from './refusal-events.js';
import type { SecurityActor, SecurityEvent, SecurityLine } from './security-event.js';
import { securityScope } from './security-scope.js';

/** What a line says beyond its event. Never a password, token, key or e-mail address. */
export interface SecurityFacts {
  /** The current request's if missing. */
  readonly actor?: SecurityActor;
  /** An id (a uid, a session's public id), a route, or the name of what was acted on. */
  readonly target: string | null;
  readonly outcome?: 'ok' | 'refused';
}

export interface SecurityLogOptions {
  readonly config: Pick<Config, 'LOG_ADDRESSES'>;
  readonly clock: Clock;
  /** Writes a line; on standard output by default. */
  readonly write?: (line: string) => void;
  /** Who acts outside requests; null by default. */
  readonly actor?: SecurityActor;
}

/** What took the place of lines that were left out. */
const OWN_TARGET = 'security-log';

const toStandardOutput = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * The security channel: who did what to whom, one JSON line each, whatever LOG_LEVEL and LOG_FORMAT say. Actor, address and request id come from the
 * request under way ({@link securityScope}).
 */
export class SecurityLog {
  private readonly budget: RefusalBudget;

  constructor(private readonly options: SecurityLogOptions) {
    this.budget = new RefusalBudget(options.clock);
  }

  /** Writes a line. Refusals beyond the budget are left out; one `throttle.hit` with the target `security-log` says so. */
  record(event: SecurityEvent, facts: SecurityFacts): void {
    const network = networkOf(securityScope()?.address ?? '');
    const verdict = facts.outcome === 'refused' ? this.budget.take(network) : 'write';
    if (verdict === 'write') this.write(event, facts);
    if (verdict === 'announce') this.write('throttle.hit', { target: OWN_TARGET, outcome: 'refused' });
  }

  /** Records a refused request or message if its code is a matter of security. The target is what the request concerns, if that is known. */
  refused(code: ProblemCode, target: string): void {
    const event = refusalEventOf(code, target);
    if (event !== null) this.record(event, { target: securityScope()?.concerns ?? target, outcome: 'refused' });
  }

  private write(event: SecurityEvent, { actor, target, outcome = 'ok' }: SecurityFacts): void {
    const { config, clock, write = toStandardOutput } = this.options;
    const scope = securityScope();
    const by = actor === undefined ? (scope?.actor ?? this.options.actor ?? null) : actor;
    const known = scope === undefined || scope.address === '' ? null : scope.address;
    const address = config.LOG_ADDRESSES === 'true' ? known : null;
    const requestId = scope?.requestId ?? null;
    const line: SecurityLine = { channel: 'security', time: clock(), event, actor: by, address, target, outcome, requestId };
    write(JSON.stringify(line));
  }
}
