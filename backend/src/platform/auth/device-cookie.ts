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
const ACCOUNTS = 5;

interface KnownAccount {
  readonly uid: Uid;
  readonly text: string;
}

/** Which accounts signed in from a browser before: those stay open to it while somebody guesses their passwords elsewhere. */
@Injectable()
export class DeviceCookies {
  constructor(
    private readonly keys: VaultKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  /** True when this account signed in from this browser within a year. */
  knows(headers: IncomingHttpHeaders, uid: Uid): boolean {
    return this.accounts(headers).some((account) => account.uid === uid);
  }

  /** The text of `Set-Cookie` that remembers the account beside those before it, at most five. */
  remember(headers: IncomingHttpHeaders, uid: Uid): string {
    const stamp = this.clock().toString(36);
    const others = this.accounts(headers).filter((account) => account.uid !== uid);
    const value = [`${uid}.${stamp}.${this.sign(uid, stamp)}`, ...others.map(({ text }) => text)].slice(0, ACCOUNTS).join('~');
    return protectedCookie(this.name, value, YEAR_SECONDS, this.config.PUBLIC_URL);
  }

  private get name(): string {
    return cookieName(DEVICE_COOKIE, this.config.PUBLIC_URL);
  }

  private accounts(headers: IncomingHttpHeaders): readonly KnownAccount[] {
    const parts = (cookieOf(headers, this.name) ?? '').split('~').slice(0, ACCOUNTS);
    return parts.flatMap((text) => this.read(text) ?? []);
  }

  private read(text: string): KnownAccount | null {
    const [uid = '', stamp = '', signature = ''] = text.split('.');
    const [given, right] = [Buffer.from(signature), Buffer.from(this.sign(uid, stamp))];
    if (!ID_FORM.test(uid) || given.length !== right.length || !timingSafeEqual(given, right)) return null;
    const at: Instant = parseInt(stamp, 36);
    return this.clock() - at < YEAR_SECONDS * 1_000 ? { uid, text } : null;
  }

  private sign(uid: Uid, stamp: string): string {
    return createHmac('sha256', this.keys.key('devices')).update(`${uid}\n${stamp}`).digest('base64url');
  }
}
