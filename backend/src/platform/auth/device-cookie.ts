import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ID_FORM, type Instant, type Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import { CLOCK, CONFIG } from '../tokens.js';
import { cookieName, cookieOf, protectedCookie } from './session-cookie.js';
import { VaultKeys } from './vault-keys.js';

const DEVICE_COOKIE = 'roughmix_device';
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const MAX_ACCOUNTS = 5;

/** An account as device cookies know it. */
export interface DeviceAccount {
  readonly uid: Uid;
  /** How often its password was reset: each reset invalidates the cookies from before. */
  readonly resets?: number;
}

interface KnownAccount {
  readonly uid: Uid;
  readonly resets: number;
  readonly text: string;
}

/** A signed cookie that lists the accounts used in a browser. Password guesses from elsewhere do not lock those accounts out of it. */
@Injectable()
export class DeviceCookies {
  constructor(
    private readonly keys: VaultKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** The account's signed entry if it signed in from this browser within the last year and since its last reset, else null. */
  entryOf(headers: IncomingHttpHeaders, { uid, resets = 0 }: DeviceAccount): string | null {
    return this.accounts(headers).find((account) => account.uid === uid && account.resets === resets)?.text ?? null;
  }

  /** The value of `Set-Cookie` that puts the account first; at most five are kept. */
  remember(headers: IncomingHttpHeaders, { uid, resets = 0 }: DeviceAccount): string {
    const stamp = [this.clock(), ...(resets === 0 ? [] : [resets])].map((number) => number.toString(36)).join('-');
    const others = this.accounts(headers).filter((account) => account.uid !== uid);
    const value = [`${uid}.${stamp}.${this.sign(uid, stamp)}`, ...others.map(({ text }) => text)].slice(0, MAX_ACCOUNTS).join('~');
    return protectedCookie(this.name, value, YEAR_SECONDS, this.config.PUBLIC_URL);
  }

  private get name(): string {
    return cookieName(DEVICE_COOKIE, this.config.PUBLIC_URL);
  }

  private accounts(headers: IncomingHttpHeaders): readonly KnownAccount[] {
    const entries = (cookieOf(headers, this.name) ?? '').split('~').slice(0, MAX_ACCOUNTS);
    return entries.flatMap((text) => this.read(text) ?? []);
  }

  private read(text: string): KnownAccount | null {
    const [uid = '', stamp = '', signature = ''] = text.split('.');
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.sign(uid, stamp))];
    if (!ID_FORM.test(uid) || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [timestamp = '', resets = '0'] = stamp.split('-');
    const signedInAt: Instant = parseInt(timestamp, 36);
    return this.clock() - signedInAt < YEAR_SECONDS * 1_000 ? { uid, resets: parseInt(resets, 36), text } : null;
  }

  private sign(uid: Uid, stamp: string): string {
    return createHmac('sha256', this.keys.key('devices')).update(`${uid}\n${stamp}`).digest('base64url');
  }
}
