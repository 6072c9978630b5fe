import type { AudioReply, AudioRequest } from './audio-messages.js';

/** What the process that parses and decodes untrusted files does with a request. Decoders are not loaded for probes: a user waits for each probe. */
export async function answerAudio(request: AudioRequest): Promise<AudioReply> {
  try {
    if (request.kind === 'probe') {
      const { probeAudio } = await import('./probe.js');
      return { kind: 'probed', result: await probeAudio(request.path, request.size) };
    }
    if (request.kind === 'copy') {
      const { copyAudio } = await import('./copy-audio.js');
      return { kind: 'copied', result: await copyAudio(request.path, request.outFolder) };
    }
    const { analyseAudio } = await import('./analyse.js');
    return { kind: 'analysed', result: await analyseAudio(request.path, request) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : 'unknown failure' };
  }
}
