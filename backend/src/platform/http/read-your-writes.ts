import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { ReadModels } from '../projections/read-models.js';
import { ReadSide } from '../projections/read-side.js';
import type { GuardedRequest } from './caller.js';

/** How long a request's reads wait in total. Then they continue with stale data, because a full disk must not stop reads. */
const MAX_WAIT_MS = 500;

/**
 * Callers see their own writes in later requests to this process: while read models lag behind a caller's last write, reads wait until the read model
 * that they use has caught up.
 */
@Injectable()
export class ReadYourWritesInterceptor implements NestInterceptor {
  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const uid = context.getType() === 'http' ? context.switchToHttp().getRequest<GuardedRequest>().caller?.uid : undefined;
    const position = uid === undefined ? 0 : this.readSide.lastWriteOf(uid);
    if (position <= this.readSide.saved.position) return next.handle();
    return new Observable((subscriber) => this.reads.asOfWithin(position, MAX_WAIT_MS, () => next.handle().subscribe(subscriber)));
  }
}
