import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoopbackCertificate } from './loopback-certificate.js';

const DEADLINE_MS = 20_000;
const CURVE = 'prime256v1';
const HASH = 'sha256';
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Where the sender's key begins: after salt, record size and its own length (RFC 8188, section 2.1). */
const KEY_AT = SALT_BYTES + 4 + 1;
const POINT_BYTES = 65;

/** A browser's side of a subscription. */
export interface BrowserKeys {
  readonly curve: ECDH;
  readonly auth: Buffer;
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer => Buffer.from(hkdfSync(HASH, secret, salt, info, length));

/** What a browser reads in a message of one record (RFC 8291). @throws Error if it was encrypted for another one */
export function decryptPush({ curve, auth }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES);
  const sender = body.subarray(KEY_AT, KEY_AT + POINT_BYTES);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const secret = derived(curve.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, derived(secret, salt, 'Content-Encoding: nonce\0', 12)).setAuthTag(body.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(body.subarray(KEY_AT + POINT_BYTES, -TAG_BYTES)), decipher.final()]);
  // A 2 marks the end of the last record; zeros after it are padding.
  return text.subarray(0, text.lastIndexOf(2)).toString('utf8');
}

export function browserKeys(): BrowserKeys {
  const curve = createECDH(CURVE);
  curve.generateKeys();
  return { curve, auth: randomBytes(16) };
}

/** The claims of a VAPID header (RFC 8292) and the key that signed them. @throws Error for a wrong signature */
export function vapidOf({ authorization = '' }: IncomingHttpHeaders): { readonly claims: unknown; readonly key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const jwk = { key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const;
  if (!verify(HASH, Buffer.from(`${header}.${claims}`), jwk, Buffer.from(signature, 'base64url'))) throw new Error('the signature is wrong');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')), key };
}

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What it answers to a message; nothing at all if it is null. */
export type PushAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null;

/** A push service on loopback: its host must be in OUTBOUND_ALLOW. */
export class PushService {
  readonly received: ReceivedPush[] = [];
  /** How it answers from now on; every message is accepted at first. */
  answer: (path: string) => PushAnswer = () => ({ status: 201 });
  private readonly browsers = new Map<string, BrowserKeys>();

  private readonly server: Server;

  private constructor(private readonly certificate?: LoopbackCertificate) {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        this.received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
        const answer = this.answer(path);
        if (answer !== null) response.writeHead(answer.status, answer.headers).end();
      });
    };
    this.server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  }

  /** Starts it over HTTPS with a certificate, else over plain HTTP. */
  static async start(certificate?: LoopbackCertificate): Promise<PushService> {
    const service = new PushService(certificate);
    await once(service.server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  /** For OUTBOUND_ALLOW. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new browser's `PushSubscription.toJSON()`. */
  browser(path: string) {
    const keys = browserKeys();
    this.browsers.set(path, keys);
    return {
      endpoint: `${this.certificate === undefined ? 'http' : 'https'}://${this.host}${path}`,
      expirationTime: null,
      keys: { p256dh: keys.curve.getPublicKey('base64url'), auth: keys.auth.toString('base64url') },
    };
  }

  /** What a browser reads in a message. */
  read<Payload = unknown>({ path, body }: ReceivedPush): Payload {
    const keys = this.browsers.get(path);
    if (keys === undefined) throw new Error(`no browser has subscribed at ${path}`);
    return JSON.parse(decryptPush(keys, body)) as Payload;
  }

  /** The messages at a path, once there are as many. @throws after 20 s */
  async messages(path: string, count: number): Promise<readonly ReceivedPush[]> {
    for (const until = Date.now() + DEADLINE_MS; ; await pause(10)) {
      const found = this.received.filter((each) => each.path === path);
      if (found.length >= count) return found;
      if (Date.now() > until) throw new Error(`${found.length} messages instead of ${count} were received at ${path}`);
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
