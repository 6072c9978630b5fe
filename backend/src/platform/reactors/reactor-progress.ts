import type { Position } from '@roughmix/contracts/shared/ids.js';

/** An event that a reactor was given, and the position before it in the log. */
interface Given {
  readonly before: Position;
  isFinished: boolean;
}

/** What is stored of a reactor's progress: everything up to `position` is finished, and of what follows only `finished`. */
export interface StoredProgress {
  readonly position: Position;
  readonly finished: readonly Position[];
}

/**
 * Which events of the log a reactor has been given and has finished, in any order. Its checkpoint stays before the lowest unfinished event; events that are
 * finished beyond it are remembered, so that they are not repeated after a restart.
 */
export class ReactorProgress {
  /** The events after the checkpoint that were given, in the order of the log. */
  private readonly given = new Map<Position, Given>();
  private readonly finishedBefore: ReadonlySet<Position>;
  private last: Position;

  constructor({ position, finished }: StoredProgress) {
    this.last = position;
    this.finishedBefore = new Set(finished);
  }

  /** The last position that was read from the log. */
  get read(): Position {
    return this.last;
  }

  /** How many events are given and not behind the checkpoint yet. */
  get size(): number {
    return this.given.size;
  }

  get stored(): StoredProgress {
    const [first] = this.given.values();
    const finished = [...this.given].filter(([, { isFinished }]) => isFinished).map(([position]) => position);
    return { position: first?.before ?? this.last, finished };
  }

  /** Reads on to the next event that needs a reaction. @returns false if it was finished before the restart */
  give(position: Position): boolean {
    const isFinished = this.finishedBefore.has(position);
    this.given.set(position, { before: this.last, isFinished });
    this.last = position;
    if (isFinished) this.moveOn();
    return !isFinished;
  }

  /** Reads on over events that need no reaction. */
  pass(position: Position): void {
    this.last = position;
  }

  finish(position: Position): void {
    const given = this.given.get(position);
    if (given === undefined) return;
    given.isFinished = true;
    this.moveOn();
  }

  private moveOn(): void {
    for (const [position, { isFinished }] of this.given) {
      if (!isFinished) return;
      this.given.delete(position);
    }
  }
}
