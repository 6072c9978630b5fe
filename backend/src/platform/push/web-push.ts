import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { VaultKeys } from '../auth/vault-keys.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { Outbound } from '../outbound/outbound.js';
import { OutboundFailed, OutboundRefused } from '../outbound/outbound-errors.js';
import { PUSH_TARGETS } from '../outbound/outbound-target.js';
import type { OutboundAnswer } from '../outbound/send-to.js';
import { CLOCK, CONFIG } from '../tokens.js';
import type { PushTarget } from './push-subscriptions.js';
import { type VapidKeys, vapidKeysFrom, vapidSubjectOf } from './vapid.js';

/** How long a push service keeps a message for a browser that is away. */
export const PUSH_TTL_MS = 24 * 60 * 60_000;

export interface PushMessage {
  /** JSON; more than 3,993 bytes are too long for most push services. Only the browser can read it. */
  readonly payload: string;
  readonly urgency: 'normal' | 'high';
}

/**
 * What a push service answered. `gone`: it no longer knows the subscription. `retry`: it may accept the message later, `notBefore` if it says when.
 * `refused`: it never will; the reason does not contain the endpoint.
 */
export type PushResult =
  | { readonly outcome: 'accepted' | 'gone' }
  | { readonly outcome: 'retry'; readonly reason: string; readonly notBefore: Instant | null }
  | { readonly outcome: 'refused'; readonly reason: string };

const GONE: readonly number[] = [404, 410];
const TOO_MANY = 429;

/** Sends push messages: encrypted for the browser (RFC 8291), signed by the installation (VAPID), through {@link Outbound}. */
@Injectable()
export class WebPush {
  private readonly keys: VapidKeys;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly outbound: Outbound,
    vaultKeys: VaultKeys,
  ) {
    const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config;
    this.keys = publicKey === null || privateKey === null ? vapidKeysFrom(vaultKeys.key('push')) : { publicKey, privateKey };
  }

  /** The public key that browsers subscribe with, in base64url. */
  get key(): string {
    return this.keys.publicKey;
  }

  /** One attempt, which takes at most as long as {@link Outbound} allows. @throws Error for keys that cannot be used */
  async send(target: PushTarget, message: PushMessage): Promise<PushResult> {
    const request = await this.requestFor(target, message);
    try {
      return this.resultOf(await this.outbound.send(target.endpoint, request, PUSH_TARGETS));
    } catch (error) {
      if (error instanceof OutboundFailed) return { outcome: 'retry', reason: error.message, notBefore: null };
      if (error instanceof OutboundRefused) return { outcome: 'refused', reason: error.message };
      throw error;
    }
  }

  private async requestFor({ endpoint, p256dh, auth }: PushTarget, { payload, urgency }: PushMessage) {
    // Imported by the first message, so that the program starts without it.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails: { subject: vapidSubjectOf(this.config), ...this.keys },
      TTL: PUSH_TTL_MS / 1_000,
      urgency,
    });
    return { method: 'POST', headers, body } as const;
  }

  private resultOf({ status, headers }: OutboundAnswer): PushResult {
    if (status >= 200 && status < 300) return { outcome: 'accepted' };
    if (GONE.includes(status)) return { outcome: 'gone' };
    const reason = `the push service answered ${status}`;
    if (status !== TOO_MANY && status < 500) return { outcome: 'refused', reason };
    return { outcome: 'retry', reason, notBefore: this.retryAfter(headers['retry-after']) };
  }

  /** Retry-After (RFC 9110): seconds, or a date; null without a valid one. */
  private retryAfter(header: OutboundAnswer['headers'][string]): Instant | null {
    const text = typeof header === 'string' ? header.trim() : '';
    const at = /^\d+$/.test(text) ? this.clock() + Number(text) * 1_000 : Date.parse(text);
    return Number.isFinite(at) ? at : null;
  }
}
