import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a write that found the disk idle to one that found it in trouble. */
const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Everything that is measured, in a registry of its own. Labels hold what this program names itself (routes, commands, projectors): never an address,
 * an id, a name or anything that a caller wrote, so their number is bounded and nothing personal is kept. `docs/operating.md` lists them all.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly build = this.gauge('roughmix_build_info', 'always 1; says what runs', ['version', 'node']);

  readonly requests = this.counter('roughmix_http_requests_total', 'requests answered', ['method', 'route', 'status']);
  readonly requestSeconds = this.histogram('roughmix_http_request_duration_seconds', 'from a request to its whole answer', {
    labels: ['method', 'route'],
    buckets: REQUEST_SECONDS,
  });
  readonly requestsUnderWay = this.gauge('roughmix_http_requests_under_way', 'requests without a whole answer', []);
  readonly signIns = this.counter('roughmix_sign_ins_total', 'tries to sign in, or to use the admin key', ['way', 'outcome']);
  readonly uploads = this.counter('roughmix_uploads_total', 'files that were put to a signed address of this server; on S3 they do not come through it', [
    'outcome',
  ]);
  readonly uploadedBytes = this.counter('roughmix_uploaded_bytes_total', 'octets of the files that were taken', []);

  readonly answers = this.counter('roughmix_page_answers_total', 'project pages answered: made anew, or given as they were kept', ['outcome']);

  readonly commands = this.counter('roughmix_commands_total', 'commands decided on streams; code says why one was refused', ['command', 'outcome', 'code']);
  readonly commandSeconds = this.histogram('roughmix_command_duration_seconds', 'from a command to its durable events, waiting for its turn included', {
    labels: ['command'],
    buckets: REQUEST_SECONDS,
  });

  readonly appendSeconds = this.histogram('roughmix_append_duration_seconds', 'from an append to its acknowledgement, when it is on disk', {
    labels: [],
    buckets: APPEND_SECONDS,
  });
  readonly appendedEvents = this.counter('roughmix_appended_events_total', 'events appended to the log', []);
  readonly appendFailures = this.counter('roughmix_append_failures_total', 'appends that wrote nothing', ['reason']);

  readonly projectorLag = this.gauge('roughmix_projector_lag_positions', "positions between a projector's checkpoint and the log's end", ['projector']);
  readonly projectorBehind = this.gauge(
    'roughmix_projector_behind_seconds',
    'how long ago the oldest event happened that a projector has not saved; 0 without one',
    ['projector'],
  );
  readonly projectorCheckpoint = this.gauge('roughmix_projector_checkpoint_position', 'the position that a projector has saved', ['projector']);
  readonly projectorParked = this.gauge('roughmix_projector_parked_streams', 'streams that a projector could not take', ['projector']);
  readonly rebuildLag = this.gauge('roughmix_rebuild_lag_positions', "positions between a rebuild and the log's end; none when nothing is rebuilt", [
    'projector',
  ]);
  readonly reactorLag = this.gauge('roughmix_reactor_lag_positions', "positions between a reactor's checkpoint and the log's end", ['reactor']);
  readonly reactorBehind = this.gauge(
    'roughmix_reactor_behind_seconds',
    'how long ago the oldest event happened that a reactor has not answered; 0 without one',
    ['reactor'],
  );
  readonly workHere = this.gauge(
    'roughmix_work_here',
    '1 when this process builds read models (projector) or reacts (reactor): of all processes one at a time',
    ['work'],
  );
  readonly reactorParked = this.gauge('roughmix_reactor_parked_reactions', 'events that a reactor has given up on', ['reactor']);

  readonly timerBehind = this.gauge('roughmix_timer_behind_seconds', 'how late the oldest due timer of a kind is that is not parked; 0 when none is due', [
    'kind',
  ]);
  readonly timersParked = this.gauge('roughmix_timers_parked', 'timers whose handler failed too often', ['kind']);

  readonly emails = this.gauge('roughmix_letters', 'letters that wait to be delivered, and those of the last 30 days that were given up (undelivered)', [
    'state',
  ]);
  readonly emailsWaiting = this.gauge('roughmix_letters_waiting_seconds', 'how long ago the oldest letter that waits was written; 0 without one', []);

  readonly ready = this.gauge('roughmix_ready', '1 when /health/ready says ready', []);
  readonly storeWritable = this.gauge('roughmix_store_writable', '1 when a store takes writes; `files`: when it answers', ['store']);
  readonly diskFree = this.gauge('roughmix_disk_free_bytes', 'room left on the disk that holds the data', []);
  readonly diskSize = this.gauge('roughmix_disk_size_bytes', 'size of the disk that holds the data', []);

  readonly sockets = this.gauge('roughmix_sockets_connected', 'sockets of this process', []);
  readonly rooms = this.gauge('roughmix_socket_rooms', 'rooms with somebody in them', ['kind']);
  readonly pushes = this.counter('roughmix_socket_pushes_total', 'messages pushed, counted for each socket that got one', ['channel']);
  readonly messages = this.counter('roughmix_socket_messages_total', 'messages that sockets sent', ['name']);

  constructor({ version }: { readonly version: string }) {
    this.build.set({ version, node: process.version }, 1);
    collectDefaultMetrics({ register: this.registry });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  private gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    { labels, buckets }: { readonly labels: readonly Label[]; readonly buckets: readonly number[] },
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] });
  }
}
