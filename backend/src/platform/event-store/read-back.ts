import type { Position } from '@roughmix/contracts/shared/ids.js';
import { verifyChain } from './log-chain.js';
import { type Database, type Mark, openForReading } from './log-file.js';

/** Rows that start a round once unverified. */
const ROUND = 16_384;
const ROWS_PER_PAGE = 500;

/**
 * Recomputes the checksums of rows the writer has written, on a separate connection without cached pages, so that the next start can
 * skip them. Works in small steps because commits wait meanwhile.
 */
export class ReadBack {
  #round: { readonly db: Database; readonly pages: Generator<Mark> } | null = null;

  constructor(
    private readonly at: { readonly file: string; readonly descriptor: number },
    /** Everything up to here was read from the file and is intact. */
    public verified: Mark,
  ) {}

  /**
   * If a round is due or running, reads at least one page, and enough to keep up with a writer that added `fresh` rows.
   * @throws StoreDamaged or SQLite errors, which end the round
   */
  step(head: Position, fresh: number): void {
    if (this.#round === null && head - this.verified.position < ROUND) return;
    const until = Math.min(head, this.verified.position + Math.max(ROWS_PER_PAGE, 2 * fresh));
    try {
      const { pages } = (this.#round ??= this.#begin());
      while (this.#round !== null && this.verified.position < until) {
        const page = pages.next();
        if (page.done === true) this.stop();
        else this.verified = page.value;
      }
      if (this.verified.position >= head) this.stop();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop(): void {
    const round = this.#round;
    this.#round = null;
    round?.db.close();
  }

  #begin() {
    const db = openForReading(this.at.file);
    return { db, pages: verifyChain(db, this.verified, { ...this.at, rowsPerPage: ROWS_PER_PAGE }) };
  }
}
