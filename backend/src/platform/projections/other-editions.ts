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
  /** A lease that is acquired only once no process has held it for a while. */
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
  private readonly pollMs: number;

  constructor(private readonly deps: EditionsDeps) {
    this.pollMs = deps.pollMs ?? POLL_MS;
  }

  /** Resolves once there are documents of another edition, or none; at once if the signal aborts. */
  async waitUntil({ exist }: { readonly exist: boolean }, signal: AbortSignal): Promise<void> {
    const { log } = this.deps;
    while (!signal.aborted) {
      try {
        if ((await this.found()).length > 0 === exist) return;
      } catch (error) {
        log.error({ err: error }, 'read models of other versions cannot be listed, trying again');
      }
      await pauseUnlessAborted(this.pollMs, signal);
    }
  }

  /** Drops the read models of other editions, each once its lease has been free for a while, until the signal aborts. */
  async retire(signal: AbortSignal): Promise<void> {
    const retiring = new Map<Edition, Promise<void>>();
    const { log } = this.deps;
    while (!signal.aborted) {
      try {
        for (const edition of await this.found()) {
          if (!retiring.has(edition))
            retiring.set(
              edition,
              this.retireOnceAbandoned(edition, signal).finally(() => retiring.delete(edition)),
            );
        }
      } catch (error) {
        log.error({ err: error }, 'read models of other versions cannot be listed, trying again');
      }
      await pauseUnlessAborted(this.pollMs, signal);
    }
    await Promise.all(retiring.values());
  }

  private async found(): Promise<readonly Edition[]> {
    const stored = (await this.deps.documents.collections()).map(editionIn).filter((edition) => edition !== null);
    return [...new Set(stored)].filter((edition) => edition !== this.deps.own);
  }

  private async retireOnceAbandoned(edition: Edition, signal: AbortSignal): Promise<void> {
    const { abandonedLease, log } = this.deps;
    try {
      const lease = await abandonedLease(edition);
      const term = await lease.acquire(signal);
      try {
        if (term !== null) await this.drop(edition, term, AbortSignal.any([signal, term.signal]));
      } finally {
        await lease.release();
      }
    } catch (error) {
      // Found again at the next poll.
      if (!isTakenOver(error)) log.error({ err: error, edition }, 'read models of another version could not be dropped, trying again');
    }
  }

  /** Under the edition's own lease and fence, so that a process of that version that comes back waits and then builds from the beginning. */
  private async drop(edition: Edition, term: Term, signal: AbortSignal): Promise<void> {
    const documents = fencedDocuments(this.deps.documents, term);
    const generations = await Generations.open(editionDocuments(documents, edition), term);
    for (const projector of generations.names()) await generations.abandonAll(projector);
    await pauseUnlessAborted(this.deps.graceMs ?? GRACE_MS, signal);
    if (signal.aborted) return;
    for (const projector of generations.names()) await generations.dropDiscarded(projector);
    for (const collection of await documents.collections()) if (editionIn(collection) === edition) await documents.drop(collection);
    this.deps.log.info({ edition }, 'read models of another version were dropped: no process uses them any more');
  }
}
