import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { ReadModels } from '../projections/read-models.js';
import { ReadSide } from '../projections/read-side.js';
import type { KnownRequest } from './caller.js';

/** How long a request's reads wait in all. Then they go on with what is there: a full disk must not stop reads. */
const PATIENCE_MS = 500;

/**
 * Callers read their own writes in their next requests to this process too: while read models lag behind a caller's last write, the request's reads wait
 * until what they read holds it.
 */
@Injectable()
export class ReadYourWritesInterceptor implements NestInterceptor {
  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const uid = context.getType() === 'http' ? context.switchToHttp().getRequest<KnownRequest>().caller?.uid : undefined;
    const position = uid === undefined ? 0 : this.readSide.lastWriteOf(uid);
    if (position <= this.readSide.saved.position) return next.handle();
    return new Observable((subscriber) => this.reads.asOfWithin(position, PATIENCE_MS, () => next.handle().subscribe(subscriber)));
  }
}
