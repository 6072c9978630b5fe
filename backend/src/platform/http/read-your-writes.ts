import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { Observable } from 'rxjs';
import { ReadModels } from '../projections/read-models.js';
import { RecentMap } from '../recent-map.js';
import type { KnownRequest } from './caller.js';

/** As many callers are remembered, at least: read models lag for seconds at most, in which fewer people write. */
const CALLERS = 10_000;

/**
 * Callers read their own writes: in the answer to a command, and in their next requests to this process. A request's reads wait until what they read holds
 * the caller's last write, which costs nothing once it does.
 */
@Injectable()
export class ReadYourWritesInterceptor implements NestInterceptor {
  private readonly written = new RecentMap<Position>(CALLERS);

  constructor(private readonly reads: ReadModels) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const uid = context.getType() === 'http' ? context.switchToHttp().getRequest<KnownRequest>().caller?.uid : undefined;
    return new Observable((subscriber) => this.reads.asOf(this.lastOf(uid), () => next.handle().subscribe(subscriber), this.noteFor(uid)));
  }

  private lastOf(uid: Uid | undefined): Position {
    return uid === undefined ? 0 : (this.written.get(uid) ?? 0);
  }

  private noteFor(uid: Uid | undefined): ((position: Position) => void) | null {
    return uid === undefined ? null : (position) => this.written.set(uid, Math.max(position, this.lastOf(uid)));
  }
}
