import type { Clock } from '../clock.js';
import { DeadlineExceeded, within } from '../health/deadline.js';
import { keepGoing } from '../keep-going.js';
import type { BackgroundLoop } from '../reactors/background-loop.js';
import { StoreAway } from '../store-errors.js';
import type { VaultRecord } from '../vault/vault.js';
import type { WaitingLetter } from './letter-records.js';
import type { Letters } from './letters.js';
import { LetterRefused, type Mailer } from './mailer.js';
import type { Logger } from '../logger.js';

/** How letters are timed, in milliseconds. */
export interface DeliveryTimes {
  /** Before the second try; twice as long before each further one, up to `longest`. */
  readonly first: number;
  readonly longest: number;
  /** After that it is given up. */
  readonly giveUp: number;
  /** How often letters of other processes are looked for. */
  readonly look: number;
  /** One delivery, with all that the mail server says in between. */
  readonly deadline: number;
}

const HOUR_MS = 60 * 60_000;
export const DELIVERY_TIMES: DeliveryTimes = { first: 5_000, longest: HOUR_MS, giveUp: 72 * HOUR_MS, look: 5_000, deadline: 120_000 };
/** After so many in a row that the server did not take, the others need not be tried. */
const AWAY_AFTER = 3;
/** How long a delivery under way may go on when the loop stops. */
const LAST_MS = 2_000;

/** What letters are delivered with. */
export interface DeliveryParts {
  readonly letters: Letters;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times?: DeliveryTimes;
}

/** Delivers the letters that wait, oldest due first, again and again until each is taken, refused for good or too old. */
export class DeliverLetters implements BackgroundLoop {
  readonly name = 'deliver-letters';
  private readonly times: DeliveryTimes;
  private running: { readonly stopping: AbortController; readonly ended: Promise<void> } | undefined;
  private wake: () => void = () => undefined;
  private isAway = false;
  private sweptAt = 0;

  constructor(private readonly parts: DeliveryParts) {
    this.times = parts.times ?? DELIVERY_TIMES;
  }

  start(): Promise<void> {
    if (this.running !== undefined) return Promise.resolve();
    const stopping = new AbortController();
    const onFailure = (error: unknown): void => this.parts.log.error({ err: error }, 'letters cannot be looked after, trying again');
    const forget = this.parts.letters.onSent(() => this.wake());
    const ended = keepGoing(() => this.follow(stopping.signal), { signal: stopping.signal, onFailure }).finally(forget);
    this.running = { stopping, ended };
    return Promise.resolve();
  }

  /** One whose outcome is not known by then is delivered again. */
  async stop(): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    running.stopping.abort();
    this.wake();
    await within(LAST_MS, running.ended).catch((error: unknown) => {
      if (!(error instanceof DeadlineExceeded)) throw error;
    });
    this.running = undefined;
  }

  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let isWoken = false;
      const woken = new Promise<void>((resolve) => {
        this.wake = () => {
          isWoken = true;
          resolve();
        };
      });
      await this.sweepNowAndThen();
      await this.round(signal);
      if (!isWoken && !signal.aborted) await within(this.times.look, woken).catch(late);
    }
  }

  /** Tries everything that is due. */
  private async round(signal: AbortSignal): Promise<void> {
    const now = this.parts.clock();
    // A new one was dated by the clock of whoever wrote it, which may be ahead of this one.
    const due = (await this.parts.letters.waiting())
      .filter(({ body }) => body.tries === 0 || body.dueAt <= now)
      .toSorted((a, b) => a.body.dueAt - b.body.dueAt);
    let refusedInRow = 0;
    for (const letter of due) {
      if (signal.aborted || refusedInRow >= AWAY_AFTER) return;
      refusedInRow = (await this.deliver(letter, signal)) ? 0 : refusedInRow + 1;
    }
  }

  /** False when the server did not take it for now. */
  private async deliver(letter: VaultRecord<WaitingLetter>, signal: AbortSignal): Promise<boolean> {
    const { letters, mailer, clock } = this.parts;
    const { to, subject, text, key, uid, writtenAt, reason } = letter.body;
    if (clock() - writtenAt >= this.times.giveUp) return this.giveUp(letter, `too old: ${reason ?? 'it was not tried in time'}`);
    try {
      await within(this.times.deadline, mailer.send({ to, subject, text, key }));
    } catch (error) {
      if (error instanceof LetterRefused) return this.giveUp(letter, error.message);
      // The end of the program says nothing about the letter.
      if (!signal.aborted) await this.later(letter, error);
      return false;
    }
    await letters.change(letter, { state: 'sent', uid, endedAt: clock() });
    this.tellBack();
    return true;
  }

  private async giveUp(letter: VaultRecord<WaitingLetter>, reason: string): Promise<true> {
    const { letters, clock, log } = this.parts;
    const { to, address, uid, writtenAt, tries } = letter.body;
    await letters.change(letter, { state: 'undelivered', to, address, uid, writtenAt, endedAt: clock(), tries: tries + 1, reason });
    log.error({ letter: letter.id, tries: tries + 1, reason }, 'a letter could not be delivered and was given up');
    return true;
  }

  private async later(letter: VaultRecord<WaitingLetter>, error: unknown): Promise<void> {
    const { letters, clock, log } = this.parts;
    const { body } = letter;
    const reason = error instanceof StoreAway || error instanceof DeadlineExceeded ? error.message : 'the letter could not be handed over';
    const wait = Math.min(this.times.first * 2 ** body.tries, this.times.longest);
    await letters.change(letter, { ...body, tries: body.tries + 1, reason, dueAt: clock() + wait });
    if (!this.isAway) log.error({ letter: letter.id, reason }, 'a letter was not taken: it is tried again');
    this.isAway = true;
  }

  private tellBack(): void {
    if (this.isAway) this.parts.log.info({}, 'letters are taken again');
    this.isAway = false;
  }

  private async sweepNowAndThen(): Promise<void> {
    const now = this.parts.clock();
    if (now - this.sweptAt < HOUR_MS) return;
    await this.parts.letters.sweep();
    this.sweptAt = now;
  }
}

/** Not being woken is no failure. */
function late(error: unknown): void {
  if (!(error instanceof DeadlineExceeded)) throw error;
}
