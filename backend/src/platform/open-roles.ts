import type { Clock } from './clock.js';
import type { Config } from './config/config.js';
import type { DocumentStore } from './documents/documents.js';
import type { EventStore } from './event-store/event-store.js';
import { isShared, openLeases } from './leases/open-leases.js';
import { OperatorRequests } from './leases/operator-requests.js';
import type { Logger } from './logger.js';
import { editionDocuments, editionOf, projectorLease } from './projections/editions.js';
import { OtherEditions } from './projections/other-editions.js';
import { ProjectorRole } from './projections/projector-role.js';
import { ReadModels } from './projections/read-models.js';
import { ReactorRole } from './reactors/reactor-role.js';
import type { Slices } from './slice.js';
import type { OpenedEvents } from './streams/opened-events.js';
import type { Timers } from './timers/timers.js';
import type { Vault } from './vault/vault.js';

/** What read models and reactors work on. */
export interface RoleDeps {
  readonly store: EventStore;
  /** With the read models of every program version. */
  readonly documents: DocumentStore;
  readonly vault: Vault;
  readonly timers: Timers;
  readonly opened: OpenedEvents;
  readonly log: Logger;
  readonly clock: Clock;
  readonly maxWaitMs: number | undefined;
}

/** The work of one process at a time, and this process's part in it. */
export interface Roles {
  readonly reads: ReadModels;
  readonly projections: ProjectorRole;
  readonly reactors: ReactorRole;
}

/** Opens the roles without starting them. @throws ServiceUnavailable */
export async function openRoles(config: Config, { projectors }: Slices, given: RoleDeps): Promise<Roles> {
  const { vault, log, clock, documents } = given;
  const [builds, reacts] = [config.ROLES.includes('projector'), config.ROLES.includes('reactor')];
  const own = isShared(config) ? editionOf(projectors) : '';
  const projectorName = projectorLease(own);
  const leases = await openLeases(config, { vault, log, clock, projectorName, builds });
  const abandonedLease = (edition: string) => leases.abandoned(projectorLease(edition));
  const deps = { ...given, documents: editionDocuments(documents, own), reads: new ReadModels(editionDocuments(documents, own)) };
  const projections = new ProjectorRole({
    ...deps,
    lease: leases.projector,
    requests: new OperatorRequests(vault, projectorName, log),
    builds,
    editions: leases.projector.isPermanent ? null : new OtherEditions({ documents, own, abandonedLease, log }),
  });
  const { readSide } = projections;
  const reactors = new ReactorRole({ ...deps, readSide, lease: leases.reactor, requests: new OperatorRequests(vault, 'reactor', log), reacts });
  return { reads: deps.reads, projections, reactors };
}
