import { type AudioGraph, createAudioGraph, preloadMixer } from './audio-graph';
import type { Channels } from './decoded-tracks';
import { fetchAudio } from './fetch-audio';
import { capBytes } from './memory-cap';
import { toStereo } from './mixer/track-audio';
import type { CreateEngine } from './playback-engine';
import { WebEngine } from './web-engine';

async function decode(graph: AudioGraph, bytes: ArrayBuffer): Promise<Channels> {
  const buffer = await graph.decode(bytes);
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, index) => buffer.getChannelData(index));
  return toStereo(channels);
}

/** The engine for browsers with Web Audio. @throws if the browser refuses an audio context */
export const createWebEngine =
  (media: HTMLMediaElement): CreateEngine =>
  (host) =>
    new WebEngine({ media, createGraph: (events) => createAudioGraph(media, events), decode, fetchAudio, capBytes: capBytes() }, host);

export { preloadMixer };
