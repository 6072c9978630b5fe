import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { USER_EVENT_CLASSES } from '@roughmix/contracts/users/user.events.js';
import type { Passwords } from '../platform/auth/passwords.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import { EmbeddedDocumentStore } from '../platform/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { OpenedEvents } from '../platform/streams/opened-events.js';
import { FieldSealer } from '../platform/personal-data/field-sealer.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { StreamFolds } from '../platform/streams/stream-folds.js';
import { Streams } from '../platform/streams/streams.js';
import type { Vault } from '../platform/vault/vault.js';
import { blocksProjector } from '../blocks/blocks.projector.js';
import { BlocksQueries } from '../blocks/blocks.queries.js';
import { connectionsProjector } from '../profiles/connections.projector.js';
import { ConnectionsQueries } from '../profiles/connections.queries.js';
import { StaffQueries } from '../staff/staff.queries.js';
import { StaffStreams } from '../staff/staff.streams.js';
import { AccountRecords } from '../users/account-records.js';
import { AccountSeal } from '../users/account-seal.js';
import { Accounts } from '../users/accounts.js';
import { Registrations } from '../users/registrations.js';
import { Reservations } from '../users/reservations.js';
import { SelfQueries } from '../users/self.queries.js';
import { UserStreams } from '../users/user.streams.js';
import { usersProjector } from '../users/users.projector.js';
import { Usernames } from '../users/usernames.js';
import { UsersQueries } from '../users/users.queries.js';
import { cheapPasswords } from './cheap-passwords.js';
import { REUSED_THREADS } from './reused-threads.js';
import { silentSecurityLog } from './silent-security-log.js';
import { SLOW_MACHINE_MS } from './slow-machine.js';
import { manualClock } from './manual-clock.js';
import { temporaryVault } from './temporary-vault.js';

/** The users slice of one process. */
export interface UsersProcess {
  readonly records: AccountRecords;
  readonly reservations: Reservations;
  readonly accounts: Accounts;
  readonly registrations: Registrations;
  readonly selves: SelfQueries;
  readonly streams: UserStreams;
  readonly usernames: Usernames;
  readonly users: UsersQueries;
  readonly passwords: Passwords;
  readonly staff: StaffQueries;
}

/** Embedded stores in a temporary folder for the users slice. */
export interface UsersFixture {
  readonly folder: string;
  readonly vault: Vault;
  readonly log: EventStore;
  readonly clock: ReturnType<typeof manualClock>;
  /** A process with empty caches on these stores, optionally with failing ones. */
  process(vault?: Vault, log?: EventStore): UsersProcess;
  remove(): Promise<void>;
}

export async function openUsersFixture(): Promise<UsersFixture> {
  const stored = await temporaryVault();
  const { vault, folder } = stored;
  const clock = manualClock();
  const seal = new AccountSeal(randomBytes(32));
  const log = await EmbeddedEventStore.open({ file: join(folder, 'log.db'), threads: REUSED_THREADS });
  const documents = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db'), onDropped: () => undefined, threads: REUSED_THREADS });
  const sealer = new FieldSealer(new Map(Object.entries(USER_EVENT_CLASSES)), await DataKeys.open(vault, randomBytes(32)));
  const opened = new OpenedEvents(sealer, []);
  const reads = new ReadModels(documents);
  const readSide = new ReadSide(undefined, SLOW_MACHINE_MS);
  const silent = { info: () => undefined, error: () => undefined };
  const projections = new ProjectionRunner({ store: log, documents, reads, readSide, opened, log: silent, graceMs: 0 });
  await projections.start([usersProjector, connectionsProjector, blocksProjector]);
  const process = (vaultOf: Vault = vault, logFileOf: EventStore = log): UsersProcess => {
    const written = new Streams(logFileOf, new StreamFolds(logFileOf, opened), sealer);
    const streams = new UserStreams(written, readSide, silentSecurityLog(), clock.now);
    const staff = new StaffQueries(new StaffStreams(written, readSide, silentSecurityLog(), clock.now), reads);
    const [records, reservations] = [new AccountRecords(vaultOf, seal), new Reservations(vaultOf, seal)];
    const accounts = new Accounts(records, reservations, clock.now, streams);
    const passwords = cheapPasswords();
    const connections = new ConnectionsQueries(reads);
    const users = new UsersQueries(reads, connections, new BlocksQueries(reads));
    const registrations = new Registrations(accounts, streams, passwords, users, clock.now);
    const usernames = new Usernames(accounts, streams, users, clock.now);
    return {
      records,
      reservations,
      accounts,
      registrations,
      streams,
      passwords,
      staff,
      usernames,
      users,
      selves: new SelfQueries(users, accounts, streams, connections),
    };
  };
  const { records, reservations } = process();
  for (const each of [records, reservations]) await each.declare();
  const close = async (): Promise<void> => {
    await projections.stop();
    await log.close();
    await documents.close();
    await stored.remove();
  };
  return { folder, vault, log, clock, process, remove: close };
}
