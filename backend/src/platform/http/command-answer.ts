import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { prefersMinimal, RETURN_MINIMAL } from './prefer.js';

/** What a command answers: the body, and what the headers say about it. */
export class CommandAnswer<Body> {
  constructor(
    readonly body: AsPreferred<Body>,
    /** Of the command's last event; null without one. */
    readonly position: Position | null,
    /** True when this was done by an earlier sending of the same command. */
    readonly replayed: boolean,
  ) {}
}

/** Unwraps command answers into bodies, `X-Position`, `Idempotent-Replayed` and `Preference-Applied`. */
@Injectable()
export class CommandAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const isMinimal = prefersMinimal(http.getRequest<FastifyRequest>().headers);
    return next.handle().pipe(
      map((answer: unknown): unknown => {
        if (!(answer instanceof CommandAnswer)) return answer;
        if (answer.position !== null) void reply.header('X-Position', String(answer.position));
        if (answer.replayed) void reply.header('Idempotent-Replayed', 'true');
        if (isMinimal) void reply.header('Preference-Applied', RETURN_MINIMAL);
        return answer.body as unknown;
      }),
    );
  }
}
