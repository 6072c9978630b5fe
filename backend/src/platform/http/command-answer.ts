import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** What a command answers: the body, and what the headers say of it. */
export class CommandAnswer<Body> {
  constructor(
    readonly body: Body,
    /** Of the command's last event; null without one. */
    readonly position: Position | null,
    /** True when this was done by an earlier sending of the same command. */
    readonly replayed: boolean,
  ) {}
}

/** Unwraps command answers into bodies, `X-Position` and `Idempotent-Replayed`. */
@Injectable()
export class CommandAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown): unknown => {
        if (!(answer instanceof CommandAnswer)) return answer;
        if (answer.position !== null) void reply.header('X-Position', String(answer.position));
        if (answer.replayed) void reply.header('Idempotent-Replayed', 'true');
        return answer.body as unknown;
      }),
    );
  }
}
