import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, switchMap } from 'rxjs';

const packed = promisify(gzip);
/** Shorter ones are not worth it, of any answer. */
export const PACKED_FROM_OCTETS = 1_024;

/** An answer in JSON as it goes over the wire, made once for everybody who gets the same. */
export class ReadyAnswer<Body extends object> {
  readonly #plain: Buffer;
  #packed: Promise<Buffer> | null = null;

  constructor(body: Body) {
    this.#plain = Buffer.from(JSON.stringify(body));
  }

  /** Estimated bytes in memory, the compressed form included. */
  get size(): number {
    return Math.ceil(this.#plain.length * 1.5);
  }

  /** The octets, for a client that unpacks gzip or one that does not. */
  async octets(takesGzip: boolean): Promise<{ readonly octets: Buffer; readonly isPacked: boolean }> {
    if (!takesGzip || this.#plain.length < PACKED_FROM_OCTETS) return { octets: this.#plain, isPacked: false };
    this.#packed ??= packed(this.#plain).catch((error: unknown) => {
      this.#packed = null;
      throw error;
    });
    return { octets: await this.#packed, isPacked: true };
  }
}

const isReady = (answer: unknown): answer is ReadyAnswer<object> => answer instanceof ReadyAnswer;

/** Sends ready answers as they are. */
@Injectable()
export class ReadyAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        switchMap((answer: unknown) => (isReady(answer) ? octetsFor(answer, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()) : [answer])),
      );
  }
}

async function octetsFor(answer: ReadyAnswer<object>, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { octets, isPacked } = await answer.octets(takesGzip(request.headers['accept-encoding']));
  void reply.header('Content-Type', 'application/json; charset=utf-8').header('Vary', 'accept-encoding');
  if (isPacked) void reply.header('Content-Encoding', 'gzip');
  return octets;
}

/** Whether `Accept-Encoding` names gzip and does not refuse it. */
export const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1|0?\.0*[1-9]\d*|1\.0*)\s*)?$/i.test(each));
