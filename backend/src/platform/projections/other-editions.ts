import type { OtherReadModels } from '@roughmix/contracts/admin/admin.view.js';
import type { DocumentStore } from '../documents/documents.js';
import { fencedDocuments } from '../leases/fenced-documents.js';
import { isTakenOver, type Lease, type Term } from '../leases/lease.js';
import type { Logger } from '../logger.js';
import { pauseUnlessAborted } from '../pause.js';
import { type Edition, editionDocuments, editionIn } from './editions.js';
import { Generations } from './projection-generations.js';
import { GRACE_MS } from './read-models-follower.js';

/** The store that all editions share, and how to get the lease of another one. */
export interface EditionsDeps {
  /** With the documents of every edition. */
  readonly documents: DocumentStore;
  readonly own: Edition;
  /** The lease of an edition, acquired only once no process has held it for a while. */
  readonly abandonedLease: (edition: Edition) => Promise<Lease>;
  readonly log: Logger;
  /** How long dropped documents are kept for readers that have not noticed yet, in milliseconds. */
  readonly graceMs?: number;
  /** Poll interval for editions that appear or disappear, in milliseconds. */
  readonly pollMs?: number;
}

const POLL_MS = 2_000;

/** The read models of other program versions in the same store: whether there are any, and dropping those that no process uses any more. */
export class OtherEditions {
  private readonly dropping = new Map<Edition, Promise<void>>();
  private isUnavailable = false;

  constructor(private readonly deps: EditionsDeps) {}

  /** Resolves once there are documents of another edition, or none; at once if the signal aborts. */
  async waitUntil({ exist }: { readonly exist: boolean }, signal: AbortSignal): Promise<void> {
    await this.poll(signal, (found) => found.length > 0 === exist);
  }

  /**
   * Drops the documents of each other edition once its lease has been free for a while, until the signal aborts. Nothing is dropped before this edition is
   * served, because a rollback would need it.
   */
  async drop(isServed: () => boolean, signal: AbortSignal): Promise<void> {
    await this.poll(signal, (found) => {
      if (isServed()) for (const edition of found) this.dropOnceAbandoned(edition, signal);
      return false;
    });
    await Promise.all(this.dropping.values());
  }

  /** The other editions, each with the process that builds it. @throws ServiceUnavailable */
  async status(): Promise<readonly OtherReadModels[]> {
    const stateOf = async (edition: Edition) => (await this.deps.abandonedLease(edition)).state();
    return Promise.all((await this.found()).map(async (edition) => ({ edition, heldBy: await stateOf(edition) })));
  }

  private async found(): Promise<readonly Edition[]> {
    const stored = (await this.deps.documents.collections()).map(editionIn).filter((edition) => edition !== null);
    return [...new Set(stored)].filter((edition) => edition !== this.deps.own);
  }

  /** Lists the other editions again and again, until `isDone` or the signal aborts. */
  private async poll(signal: AbortSignal, isDone: (found: readonly Edition[]) => boolean): Promise<void> {
    while (!signal.aborted) {
      try {
        const found = await this.found();
        this.isUnavailable = false;
        if (isDone(found)) return;
      } catch (error) {
        if (!this.isUnavailable) this.deps.log.error({ err: error }, 'read models of other versions cannot be listed, trying again');
        this.isUnavailable = true;
      }
      await pauseUnlessAborted(this.deps.pollMs ?? POLL_MS, signal);
    }
  }

  /** What could not be dropped is found again by the next poll. */
  private dropOnceAbandoned(edition: Edition, signal: AbortSignal): void {
    if (this.dropping.has(edition)) return;
    const onFailure = (error: unknown): void => {
      if (!isTakenOver(error)) this.deps.log.error({ err: error, edition }, 'read models of another version could not be dropped, trying again');
    };
    const work = this.acquireAndDrop(edition, signal).catch(onFailure);
    this.dropping.set(
      edition,
      work.finally(() => this.dropping.delete(edition)),
    );
  }

  private async acquireAndDrop(edition: Edition, signal: AbortSignal): Promise<void> {
    const lease = await this.deps.abandonedLease(edition);
    const term = await lease.acquire(signal);
    if (term === null) return;
    try {
      await this.dropUnder(term, edition, AbortSignal.any([signal, term.signal]));
    } finally {
      await lease.release();
    }
  }

  /** Under the edition's own lease and fence, so that a process of that version that comes back waits and then builds from the beginning. */
  private async dropUnder(term: Term, edition: Edition, signal: AbortSignal): Promise<void> {
    const { log, graceMs = GRACE_MS } = this.deps;
    const documents = fencedDocuments(this.deps.documents, term);
    const stored = async (): Promise<readonly string[]> => (await documents.collections()).filter((collection) => editionIn(collection) === edition);
    // Another process may have dropped them while this one waited.
    if ((await stored()).length === 0) return;
    const generations = await Generations.open(editionDocuments(documents, edition), term);
    for (const projector of generations.names()) await generations.abandonAll(projector);
    await pauseUnlessAborted(graceMs, signal);
    for (const projector of generations.names()) if (!signal.aborted) await generations.dropDiscarded(projector);
    for (const collection of await stored()) if (!signal.aborted) await documents.drop(collection);
    if (!signal.aborted) log.info({ edition }, 'read models of another version were dropped: no process uses them any more');
  }
}
