import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';

/** A session ends when nothing was heard for this long. */
const IDLE_MS = 5 * 60_000;
const EVERY_MS = LIMITS.listenedEverySeconds * 1_000;
/** Of one socket; the one that was silent the longest ends. */
const MOST_PER_SOCKET = 20;

/** Who hears what through which socket. */
export interface Listening {
  readonly socketId: string;
  readonly uid: Uid;
  readonly projectId: Id;
  readonly versionId: Id;
}

/** A listening session: of one socket and version. */
export interface ListeningSession extends Listening {
  readonly startedAt: Instant;
  /** The instant of its newest message. */
  readonly endedAt: Instant;
  readonly seconds: number;
}

type OpenSession = ListeningSession & { readonly heardMs: number };

/** The listening sessions that are under way. The caller records those that it takes out. */
export class OpenSessions {
  private readonly sessions = new Map<string, OpenSession>();

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number) {}

  /** Whether enough time has passed since the last message of the socket about the version. */
  mayReport({ socketId, versionId }: Pick<Listening, 'socketId' | 'versionId'>): boolean {
    const session = this.sessions.get(keyOf({ socketId, versionId }));
    return session === undefined || this.now() - session.heardMs >= EVERY_MS;
  }

  /** Counts what was heard. @returns the sessions that end because their socket has too many */
  report(listening: Listening, { seconds, at }: { readonly seconds: number; readonly at: Instant }): readonly ListeningSession[] {
    const key = keyOf(listening);
    const old = this.sessions.get(key);
    // Deleted first, so that the map is ordered by the newest message.
    this.sessions.delete(key);
    this.sessions.set(key, { ...listening, startedAt: old?.startedAt ?? at, endedAt: at, seconds: (old?.seconds ?? 0) + seconds, heardMs: this.now() });
    const mine = [...this.sessions.values()].filter(({ socketId }) => socketId === listening.socketId);
    return this.take(mine.slice(0, Math.max(0, mine.length - MOST_PER_SOCKET)));
  }

  takeOf(socket: string): readonly ListeningSession[] {
    return this.take([...this.sessions.values()].filter(({ socketId }) => socketId === socket));
  }

  takeIdle(): readonly ListeningSession[] {
    return this.take([...this.sessions.values()].filter(({ heardMs }) => this.now() - heardMs >= IDLE_MS));
  }

  takeAll(): readonly ListeningSession[] {
    return this.take([...this.sessions.values()]);
  }

  private take(sessions: readonly OpenSession[]): readonly ListeningSession[] {
    for (const session of sessions) this.sessions.delete(keyOf(session));
    return sessions;
  }
}

const keyOf = ({ socketId, versionId }: Pick<Listening, 'socketId' | 'versionId'>): string => `${socketId} ${versionId}`;
