import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Build } from '../version.js';

/** Seconds, from a write to an idle disk to one to a failing disk. */
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * All metrics, in their own registry; `docs/operating.md` lists them. Label values are names from this program (routes, commands, projectors), never an
 * address, an id, a name or other input of a caller, so their number is bounded and they contain nothing personal.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly build = this.gauge('roughmix_build_info', 'always 1; its labels name the running versions', ['version', 'commit', 'node']);

  readonly requests = this.counter('roughmix_http_requests_total', 'requests answered', ['method', 'route', 'status']);
  readonly requestSeconds = this.histogram('roughmix_http_request_duration_seconds', 'from a request to the end of its response', {
    labels: ['method', 'route'],
    buckets: REQUEST_SECONDS,
  });
  readonly requestsUnderWay = this.gauge('roughmix_http_requests_under_way', 'requests whose response has not ended', []);
  readonly signIns = this.counter('roughmix_sign_ins_total', 'attempts to sign in or to use the admin key', ['way', 'outcome']);
  readonly uploads = this.counter('roughmix_uploads_total', 'PUT requests to signed URLs of this server; uploads to S3 are not counted', ['outcome']);
  readonly uploadedBytes = this.counter('roughmix_uploaded_bytes_total', 'bytes of the accepted files', []);

  readonly answers = this.counter('roughmix_page_answers_total', 'project pages answered, built or from the cache', ['outcome']);

  readonly commands = this.counter('roughmix_commands_total', 'commands decided on streams; code is the reason of a refusal', ['command', 'outcome', 'code']);
  readonly commandSeconds = this.histogram('roughmix_command_duration_seconds', 'from a command to its durable events, including the wait for its turn', {
    labels: ['command'],
    buckets: REQUEST_SECONDS,
  });

  readonly appendSeconds = this.histogram('roughmix_append_duration_seconds', 'from an append to its acknowledgement, when it is on disk', {
    labels: [],
    buckets: APPEND_SECONDS,
  });
  readonly appendedEvents = this.counter('roughmix_appended_events_total', 'events appended to the log', []);
  readonly appendFailures = this.counter('roughmix_append_failures_total', 'failed appends', ['reason']);
  readonly leaderChanges = this.counter('roughmix_eventstore_leader_changes_total', 'times that another node of EventStoreDB led than before', []);
  /** Since when (of `performance.now()`) no leader of EventStoreDB was found; null with one. */
  leaderMissingSince: number | null = null;
  readonly withoutLeader = this.gauge(
    'roughmix_eventstore_without_leader_seconds',
    'how long this process has found no leader of EventStoreDB; 0 with one',
    [],
    () => (this.leaderMissingSince === null ? 0 : (performance.now() - this.leaderMissingSince) / 1_000),
  );

  readonly projectorLag = this.gauge('roughmix_projector_lag_positions', "positions between a projector's checkpoint and the log's end", ['projector']);
  readonly projectorBehind = this.gauge('roughmix_projector_behind_seconds', 'age of the oldest event that a projector has not saved; 0 without one', [
    'projector',
  ]);
  readonly projectorCheckpoint = this.gauge('roughmix_projector_checkpoint_position', 'position up to which a projector has saved', ['projector']);
  readonly projectorParked = this.gauge('roughmix_projector_parked_streams', 'streams that a projector could not process', ['projector']);
  readonly rebuildLag = this.gauge('roughmix_rebuild_lag_positions', "positions between a rebuild and the log's end; absent when nothing is rebuilt", [
    'projector',
  ]);
  readonly reactorLag = this.gauge('roughmix_reactor_lag_positions', "positions between a reactor's checkpoint and the log's end", ['reactor']);
  readonly reactorBehind = this.gauge('roughmix_reactor_behind_seconds', 'age of the oldest event that a reactor has not handled; 0 without one', ['reactor']);
  readonly workHere = this.gauge(
    'roughmix_work_here',
    '1 when this process builds read models (projector: one process of each program version does) or reacts (reactor: one process does)',
    ['work'],
  );
  readonly reactorParked = this.gauge('roughmix_reactor_parked_reactions', 'events that a reactor has parked', ['reactor']);

  readonly timerBehind = this.gauge('roughmix_timer_behind_seconds', 'how late the oldest due timer of a kind is, without parked ones; 0 when none is due', [
    'kind',
  ]);
  readonly timersParked = this.gauge('roughmix_timers_parked', 'timers parked because their handler failed too often', ['kind']);
  readonly choreFailing = this.gauge('roughmix_chore_failing_seconds', 'how long a periodic job of this process has been failing; 0 after a success', [
    'chore',
  ]);

  readonly emails = this.gauge('roughmix_letters', 'e-mails waiting for delivery, and those given up in the last 30 days (undelivered)', ['state']);
  readonly emailsWaiting = this.gauge('roughmix_letters_waiting_seconds', 'age of the oldest waiting e-mail; 0 without one', []);

  readonly webPushesWaiting = this.gauge('roughmix_web_pushes_waiting', 'push messages waiting for a push service; at most 1,000 are counted', []);
  readonly webPushBehind = this.gauge('roughmix_web_push_behind_seconds', 'how late the oldest due push message is; 0 when none is due', []);

  readonly ready = this.gauge('roughmix_ready', '1 when /health/ready reports ready', []);
  readonly storeWritable = this.gauge('roughmix_store_writable', '1 when a store accepts writes; `files`: when it answers', ['store']);
  readonly diskFree = this.gauge('roughmix_disk_free_bytes', 'free space on the disk that holds the data', []);
  readonly diskSize = this.gauge('roughmix_disk_size_bytes', 'size of the disk that holds the data', []);

  readonly sockets = this.gauge('roughmix_sockets_connected', 'connected sockets of this process', []);
  readonly rooms = this.gauge('roughmix_socket_rooms', 'rooms with at least one socket', ['kind']);
  readonly pushes = this.counter('roughmix_socket_pushes_total', 'messages pushed, counted once per receiving socket', ['channel']);
  readonly messages = this.counter('roughmix_socket_messages_total', 'messages received from sockets', ['name']);

  constructor({ version, commit }: Build) {
    this.build.set({ version, commit: commit ?? 'unknown', node: process.version }, 1);
    collectDefaultMetrics({ register: this.registry });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** @param read the value, if it is only known on a scrape */
  private gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[], read?: () => number): Gauge<Label> {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      ...(read && { collect: () => gauge.set(read()) }),
    });
    return gauge;
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: readonly Label[]; readonly buckets: readonly number[] },
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] });
  }
}
