import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { UpdateMetrics } from '@roughmix/contracts/plays/play.api.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { parseBody } from '../platform/http/body.js';
import { idFrom } from '../platform/ids.js';
import type { MessageSource, Sender } from '../platform/live/message-sources.js';
import type { Logger } from '../platform/logger.js';
import { CLOCK, LOG } from '../platform/tokens.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { type ListeningSession, OpenSessions } from './open-sessions.js';

const LOOK_FOR_IDLE_MS = 10_000;

/**
 * Counts what users hear. Sessions that are under way are in memory, and a crash loses them. A session ends with its socket, after five minutes without a
 * message, or at shutdown, and is then recorded as one event.
 */
@Injectable()
export class ListeningSessions implements MessageSource, OnModuleInit, OnApplicationShutdown {
  readonly message = 'update-metrics';
  private readonly open = new OpenSessions(() => performance.now());
  private readonly recording = new Set<Promise<void>>();
  private idleCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly versions: VersionsQueries,
    private readonly streams: ProjectStreams,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    this.idleCheck = setInterval(() => this.record(this.open.takeIdle()), LOOK_FOR_IDLE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.idleCheck);
    this.record(this.open.takeAll());
    await Promise.all(this.recording);
  }

  /** @throws Refused `throttled` for a message that comes too early, which is not counted; `version.not-found` */
  async answer({ caller, socketId }: Sender, body: unknown): Promise<object> {
    const { versionId, seconds } = parseBody(UpdateMetrics, body);
    if (!this.open.mayReport({ socketId, versionId })) throw new Refused('throttled');
    const { version } = await this.versions.require(versionId, caller.uid);
    if (version.state === 'rejected') throw new Refused('version.not-found');
    const listening = { socketId, uid: caller.uid, projectId: version.projectId, versionId };
    this.record(this.open.report(listening, { seconds, at: this.clock() }));
    return {};
  }

  ended(socketId: string): void {
    this.record(this.open.takeOf(socketId));
  }

  private record(sessions: readonly ListeningSession[]): void {
    for (const session of sessions) {
      const recorded = this.append(session).finally(() => this.recording.delete(recorded));
      this.recording.add(recorded);
    }
  }

  /** A user who has lost access meanwhile is not counted. */
  private async append({ socketId, uid, projectId, versionId, startedAt, endedAt, seconds }: ListeningSession): Promise<void> {
    const commandId = idFrom('play', socketId, versionId, String(startedAt));
    const context = { actor: { uid }, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    try {
      await this.streams.record(context, projectId, { type: 'RecordPlay', data: { versionId, seconds, endedAt } });
    } catch (error) {
      if (!(error instanceof Refused)) this.log.error({ err: error, versionId }, 'a listening session could not be recorded');
    }
  }
}
