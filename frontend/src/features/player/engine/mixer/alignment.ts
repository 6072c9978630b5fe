import type { StreamHistory } from './stream';
import type { TrackAudio } from './track-audio';

const SNIPPET_SECONDS = 0.1;
/** After a seek in an MP3 of variable bit rate, an element's audio was 0.73 s away from its `currentTime` (docs/recordings.md). */
const SEARCH_SECONDS = 1;
/** The coarse search compares averages of this many frames. */
const COARSE = 8;
const CANDIDATES = 4;
/** Coarse places compared in one step, so that a step takes a small part of a quantum. */
const PLACES_PER_STEP = 128;
/** Mean square below which the stream counts as silent: -80 dBFS. */
const SILENCE = 1e-8;
const LEAST_MATCH = 0.6;
/** Periodic audio matches in many places: prefer the one nearest to the estimate. */
const DISTANCE_PENALTY = 0.05;

export type AlignmentResult =
  /** Source frame of input frame 0, so that source = origin + input. */
  { readonly kind: 'found'; readonly origin: number } | { readonly kind: 'silent' } | { readonly kind: 'noMatch' };

interface Candidate {
  readonly place: number;
  readonly match: number;
}

/**
 * Finds the latest 100 ms of the stream in the decoded audio by normalised cross-correlation: first at every 8th frame, with averages of 8 frames, then
 * at every frame around the best candidates. It takes about 0.3 s, because it runs on the audio thread in small steps.
 */
export class Alignment {
  private readonly length: number;
  private readonly snippet: Float32Array;
  private readonly coarseSnippet: Float32Array;
  private readonly window: Float32Array;
  private readonly coarseWindow: Float32Array;
  private readonly search: number;
  private readonly firstPlace: number;
  private readonly from: number;
  private readonly isSilent: boolean;
  private nextPlace = 0;
  private candidates: Candidate[] = [];
  private best: Candidate | null = null;

  constructor(
    history: StreamHistory,
    private readonly audio: TrackAudio,
    /** Estimated source frame of input frame 0. */
    private readonly estimate: number,
    sampleRate: number,
  ) {
    this.length = COARSE * Math.floor((SNIPPET_SECONDS * sampleRate) / COARSE);
    this.search = COARSE * Math.ceil((SEARCH_SECONDS * sampleRate) / COARSE);
    this.from = history.written - this.length;
    this.snippet = monoOf(history, this.from, this.length);
    this.firstPlace = Math.round(estimate + this.from) - this.search;
    this.window = new Float32Array(this.length + 2 * this.search);
    for (let at = 0; at < this.window.length; at++) this.window[at] = (audio.left[this.firstPlace + at] ?? 0) + (audio.right[this.firstPlace + at] ?? 0);
    this.isSilent = energy(this.snippet, 0, this.length) < SILENCE * this.length;
    this.coarseSnippet = averages(this.snippet);
    this.coarseWindow = averages(this.window);
  }

  /** Searches a little further. Null until the search is over. */
  step(): AlignmentResult | null {
    if (this.isSilent) return { kind: 'silent' };
    if (this.nextPlace <= (2 * this.search) / COARSE) this.searchCoarsely();
    else if (this.candidates.length > 0) this.refine(this.candidates.pop()?.place ?? 0);
    else return this.result();
    return null;
  }

  /** False if the stream no longer matches the result, for example because it stalled during the search. */
  isStillRight(history: StreamHistory, origin: number): boolean {
    const count = Math.floor(this.length / 4);
    const from = history.written - count;
    const now = monoOf(history, from, count);
    const expected = Float32Array.from(now, (_, at) => (this.audio.left[origin + from + at] ?? 0) + (this.audio.right[origin + from + at] ?? 0));
    return energy(now, 0, count) < SILENCE * count || match(now, expected, 0) >= LEAST_MATCH;
  }

  private searchCoarsely(): void {
    const end = Math.min(this.nextPlace + PLACES_PER_STEP, (2 * this.search) / COARSE + 1);
    for (; this.nextPlace < end; this.nextPlace++) {
      const place = COARSE * this.nextPlace;
      this.consider({ place, match: match(this.coarseSnippet, this.coarseWindow, this.nextPlace) - this.penalty(place) });
    }
  }

  /** Keeps the best places that are not neighbours of a better one, the best last. */
  private consider(candidate: Candidate): void {
    const isNear = ({ place }: Candidate) => Math.abs(place - candidate.place) <= 2 * COARSE;
    const rival = this.candidates.find(isNear);
    if (rival && rival.match >= candidate.match) return;
    this.candidates = [...this.candidates.filter((other) => other !== rival), candidate].toSorted((a, b) => a.match - b.match).slice(-CANDIDATES);
  }

  private refine(coarse: number): void {
    for (let place = coarse - COARSE; place <= coarse + COARSE; place++) {
      const found = match(this.snippet, this.window, place) - this.penalty(place);
      if (!this.best || found > this.best.match) this.best = { place, match: found };
    }
  }

  private result(): AlignmentResult {
    if (!this.best || this.best.match < LEAST_MATCH) return { kind: 'noMatch' };
    return { kind: 'found', origin: this.firstPlace + this.best.place - this.from };
  }

  private penalty(place: number): number {
    return (DISTANCE_PENALTY * Math.abs(this.firstPlace + place - this.from - this.estimate)) / this.search;
  }
}

function monoOf(history: StreamHistory, from: number, count: number): Float32Array {
  const left = new Float32Array(count);
  const right = new Float32Array(count);
  history.copy(left, right, { from, count });
  return left.map((sample, at) => sample + (right[at] ?? 0));
}

function averages(samples: Float32Array): Float32Array {
  const means = new Float32Array(Math.floor(samples.length / COARSE));
  for (let mean = 0; mean < means.length; mean++) {
    let sum = 0;
    for (let at = COARSE * mean; at < COARSE * (mean + 1); at++) sum += samples[at] ?? 0;
    means[mean] = sum / COARSE;
  }
  return means;
}

function energy(samples: Float32Array, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + count; at++) sum += (samples[at] ?? 0) * (samples[at] ?? 0);
  return sum;
}

/** Normalised correlation of a snippet with a part of a window, -1 to 1. */
function match(snippet: Float32Array, window: Float32Array, place: number): number {
  let both = 0;
  for (let at = 0; at < snippet.length; at++) both += (snippet[at] ?? 0) * (window[place + at] ?? 0);
  const power = Math.sqrt(energy(snippet, 0, snippet.length) * energy(window, place, snippet.length));
  return power > 0 ? both / power : 0;
}
