import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, switchMap } from 'rxjs';

const compress = promisify(gzip);
/** Responses shorter than this many bytes are sent uncompressed. */
export const COMPRESSION_THRESHOLD = 1_024;

/** A JSON answer, serialized and compressed once for all clients that receive the same one. */
export class SerializedAnswer<Body extends object> {
  readonly #plain: Buffer;
  #compressed: Promise<Buffer> | null = null;

  constructor(body: Body) {
    this.#plain = Buffer.from(JSON.stringify(body));
  }

  /** Estimated bytes in memory, the compressed form included. */
  get size(): number {
    return Math.ceil(this.#plain.length * 1.5);
  }

  /** The bytes to send, compressed if the client accepts gzip and the answer is long enough. */
  async bytes(gzipAccepted: boolean): Promise<{ readonly bytes: Buffer; readonly isCompressed: boolean }> {
    if (!gzipAccepted || this.#plain.length < COMPRESSION_THRESHOLD) return { bytes: this.#plain, isCompressed: false };
    this.#compressed ??= compress(this.#plain).catch((error: unknown) => {
      this.#compressed = null;
      throw error;
    });
    return { bytes: await this.#compressed, isCompressed: true };
  }
}

const isSerialized = (answer: unknown): answer is SerializedAnswer<object> => answer instanceof SerializedAnswer;

/** Sends the bytes of serialized answers; other answers pass unchanged. */
@Injectable()
export class SerializedAnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        switchMap((answer: unknown) =>
          isSerialized(answer) ? bytesFor(answer, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()) : [answer],
        ),
      );
  }
}

async function bytesFor(answer: SerializedAnswer<object>, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { bytes, isCompressed } = await answer.bytes(acceptsGzip(request.headers['accept-encoding']));
  void reply.header('Content-Type', 'application/json; charset=utf-8').header('Vary', 'accept-encoding');
  if (isCompressed) void reply.header('Content-Encoding', 'gzip');
  return bytes;
}

/** Whether `Accept-Encoding` names gzip with a weight above 0. */
export const acceptsGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1|0?\.0*[1-9]\d*|1\.0*)\s*)?$/i.test(each));
