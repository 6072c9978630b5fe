import { applyDecorators, type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import { Refused } from '../../kernel/refusal.js';
import type { EventStore } from '../event-store/event-store.js';
import { within } from '../health/deadline.js';
import { ReadModels } from '../projections/read-models.js';
import type { WantedPosition } from '../projections/read-scope.js';
import { ReadSide } from '../projections/read-side.js';
import { EVENT_STORE } from '../tokens.js';
import type { GuardedRequest } from './caller.js';

/** How long a request's reads wait in total for the caller's last write. Then they continue with stale data, because a full disk must not stop reads. */
const MAX_WAIT_MS = 500;

/** The header of a query that names the position which its answer should show, and that of an answer which does not. */
export const AFTER_POSITION = 'X-After-Position';
export const BEHIND = 'X-Behind';

const QUERIES: readonly string[] = ['GET', 'HEAD'];
const SERVES_FILE = 'serves file';

/** The mark of such a route in the OpenAPI document. */
export const FILE_EXTENSION = 'x-file';

/** Marks a route that sends a stored file: it ignores `X-After-Position`, because playback and pictures must not wait. */
export const ServesFile = (): MethodDecorator & ClassDecorator => applyDecorators(SetMetadata(SERVES_FILE, true), ApiExtension(FILE_EXTENSION, true));

/** The position that a query names; 0 without one. @throws Refused `request.invalid` for anything but a whole number */
function namedPosition({ method, headers }: Pick<GuardedRequest, 'method' | 'headers'>): Position {
  const named = headers[AFTER_POSITION.toLowerCase()];
  if (named === undefined || !QUERIES.includes(method)) return 0;
  const position = typeof named === 'string' && /^\d{1,16}$/.test(named) ? Number(named) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw new Refused('request.invalid', { field: AFTER_POSITION });
  return position;
}

/**
 * Callers see their own writes in later requests: while read models lag behind a caller's last write through this process, or behind the position that a query
 * names, reads wait until the read model that they use has caught up. Only the header helps with writes through other processes.
 */
@Injectable()
export class ReadYourWritesInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head'>,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const written = request.caller === undefined ? 0 : this.readSide.lastWriteOf(request.caller.uid);
    const isFile = this.reflector.getAllAndOverride<boolean | undefined>(SERVES_FILE, [context.getHandler(), context.getClass()]) === true;
    const named = isFile ? 0 : namedPosition(request);
    if (this.hasReached(named)) return this.afterOwnWrite(written, next);
    return this.afterNamed(named, { written, reply: http.getResponse<FastifyReply>() }, next);
  }

  private hasReached(position: Position): boolean {
    return position <= this.readSide.saved.position;
  }

  private afterOwnWrite(written: Position, next: CallHandler): Observable<unknown> {
    return this.hasReached(written) ? next.handle() : this.waiting({ position: written, deadline: performance.now() + MAX_WAIT_MS }, next);
  }

  private async afterNamed(
    named: Position,
    { written, reply }: { readonly written: Position; readonly reply: FastifyReply },
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const deadline = performance.now() + this.readSide.maxWaitMs;
    if (!(await this.isInLog(named))) return this.afterOwnWrite(written, next);
    const onBehind = (reached: Position): void => {
      if (reached < named) void reply.header(BEHIND, 'true');
    };
    return this.waiting({ position: Math.max(named, written), deadline, onBehind }, next);
  }

  /** True also while the log cannot be asked: then only the read models can tell. */
  private async isInLog(position: Position): Promise<boolean> {
    try {
      return position <= (await within(this.readSide.maxWaitMs, this.store.head()));
    } catch {
      return true;
    }
  }

  private waiting(wanted: WantedPosition, next: CallHandler): Observable<unknown> {
    return new Observable((subscriber) => this.reads.wanting(wanted, () => next.handle().subscribe(subscriber)));
  }
}
