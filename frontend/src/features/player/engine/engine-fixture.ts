import { createPlayerStore } from '../player-store';
import { FakeMediaElement, first, second } from '../player-fixture';
import type { Track } from '../player-state';
import type { AudioGraph, GraphEvents } from './audio-graph';
import type { Channels } from './decoded-tracks';
import type { MixerCommand, MixerReport } from './mixer-messages';
import { WebEngine } from './web-engine';

export const third: Track = { versionId: 'v3', projectId: 'p1', url: '/api/media/v3/audio', duration: 80, loudness: null, codec: 'mp3' };
/** Longer than any cap allows. */
export const long: Track = { versionId: 'long', projectId: 'p1', url: '/api/media/long/audio', duration: 7_200, loudness: null, codec: 'mp3' };

/** Web Audio under the spec's control: it records the commands to the mixer, and the spec sends the mixer's reports. */
export class FakeGraph implements AudioGraph {
  readonly sampleRate = 48_000;
  readonly posted: MixerCommand[] = [];
  contextTime = 0;
  isActive = false;
  isAwake = false;
  constructor(private readonly events: GraphEvents) {}

  readonly now = () => this.contextTime;
  readonly latency = () => 0;
  readonly decode = () => Promise.reject(new Error('the fixture decodes'));
  readonly post = (command: MixerCommand) => void this.posted.push(command);
  readonly setSound = () => undefined;
  readonly setDirectGain = () => undefined;
  readonly useMixer = () => undefined;
  readonly wake = () => void (this.isAwake = true);
  readonly setActive = (isActive: boolean) => void (this.isActive = isActive);

  readonly loadMixer = (isLoaded = true) => this.events.onMixer(isLoaded);
  readonly report = (report: MixerReport) => this.events.onReport(report);
  /** The mixer stopped on its own, one second later. */
  readonly reportStopped = (stop: Omit<Extract<MixerReport, { type: 'stopped' }>, 'type' | 'contextTime'>) =>
    this.report({ type: 'stopped', contextTime: (this.contextTime += 1), ...stop });
  readonly interrupt = () => this.events.onInterrupted();
  readonly block = () => this.events.onBlocked();
  /** The mixer plays decoded audio, one second later. */
  readonly reportState = (trackId: string, position: number, changes: { readonly hasEnded?: boolean; readonly rate?: number } = {}) => {
    this.contextTime += 1;
    const { contextTime } = this;
    this.report({ type: 'state', source: 'buffer', isPlaying: true, contextTime, trackId, position, rate: 1, hasEnded: false, turns: 0, delay: 0, ...changes });
  };
  readonly commands = <Type extends MixerCommand['type']>(type: Type) =>
    this.posted.filter((command): command is Extract<MixerCommand, { type: Type }> => command.type === type);
}

interface Download {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly priority: RequestPriority | undefined;
  readonly finish: (outcome?: Error) => Promise<void>;
}

/** Lets everything that is due happen. */
export const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** One second of silence. */
const silence = (): Channels => [new Float32Array(48_000)];

export interface FixtureOptions {
  readonly capBytes?: number;
  readonly decode?: () => Promise<Channels>;
}

/** A player with the Web Audio engine and three versions, none of which has been played. */
export async function aWebPlayer({ capBytes = 256e6, decode = () => Promise.resolve(silence()) }: FixtureOptions = {}) {
  const media = new FakeMediaElement();
  const downloads: Download[] = [];
  const graphs: FakeGraph[] = [];
  const fetchAudio = (url: string, { signal, priority }: { readonly signal: AbortSignal; readonly priority?: RequestPriority }) =>
    new Promise<ArrayBuffer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      const finish = (outcome?: Error) => {
        if (outcome) reject(outcome);
        else resolve(new ArrayBuffer(8));
        return settled();
      };
      downloads.push({ url, signal, priority, finish });
    });
  const createGraph = (events: GraphEvents) => {
    const graph = new FakeGraph(events);
    graphs.push(graph);
    return graph;
  };
  const store = createPlayerStore({
    media,
    loadEngine: () => Promise.resolve((host) => new WebEngine({ media, createGraph, decode, fetchAudio, capBytes }, host)),
  });
  store.load(first);
  store.setTracks([first, second, third]);
  await settled();
  const graph = (): FakeGraph => {
    const [made] = graphs;
    if (!made) throw new Error('no graph yet');
    return made;
  };
  return { media, store, downloads, graphs, graph, urls: () => downloads.map(({ url }) => url) };
}

export type WebPlayer = Awaited<ReturnType<typeof aWebPlayer>>;

/** The stream of the first version sounds at 0.5 s, and its file is on its way. */
export async function streaming(options?: FixtureOptions) {
  const player = await aWebPlayer(options);
  player.store.play();
  await settled();
  player.graph().loadMixer();
  player.media.loadMetadata();
  player.media.advanceTo(0.5);
  return player;
}

/** The first version plays from decoded audio at 1 s. */
export async function decodedPlaying(options?: FixtureOptions) {
  const player = await streaming(options);
  await player.downloads[0]?.finish();
  player.graph().report({ type: 'tookOver', trackId: 'v1', position: 0.6, offset: 0, isExact: true });
  player.graph().reportState('v1', 1);
  await settled();
  return player;
}
