import type { Position } from '@roughmix/contracts/shared/ids.js';
import { verifyChain } from './log-chain.js';
import { type Database, type Mark, openForReading } from './log-file.js';

/** A round begins when so many rows wait. */
const ROUND = 16_384;
const ROWS_PER_PAGE = 500;

/**
 * Follows the writer and recomputes the checksums of what it wrote, on a connection of its own that has none of it in memory: the next
 * start begins behind what was read back here. Few rows at a time, because commits wait meanwhile.
 */
export class ReadBack {
  #round: { readonly db: Database; readonly pages: Generator<Mark> } | null = null;

  constructor(
    private readonly at: { readonly file: string; readonly descriptor: number },
    /** Everything up to here was read from the file and is as it was written. */
    public verified: Mark,
  ) {}

  /**
   * Reads at least one page on when a round is due or under way, and as much as keeps up with a writer who added `fresh` rows.
   * @throws StoreDamaged, and what SQLite throws; the round is over then
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
