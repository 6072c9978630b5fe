import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { prefersMinimal, RETURN_MINIMAL } from './prefer.js';

/** A command's response: its body and what the headers are made of. */
export class CommandAnswer<Body> {
  constructor(
    readonly body: AsPreferred<Body>,
    /** The position of the command's last event; null without one. */
    readonly position: Position | null,
    /** True when an earlier request already executed the same command. */
    readonly replayed: boolean,
  ) {}
}

/** Turns a {@link CommandAnswer} into the body and `X-Position`, `Idempotent-Replayed` and `Preference-Applied`. */
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
