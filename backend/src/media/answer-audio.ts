import type { AudioReply, AudioRequest } from './audio-messages.js';

/** What the process that parses and decodes untrusted files does with a request. Decoders are loaded for an analysis only: a user waits for each probe. */
export async function answerAudio(request: AudioRequest): Promise<AudioReply> {
  try {
    if (request.kind === 'probe') {
      const { probeAudio } = await import('./probe.js');
      return { kind: 'probed', result: await probeAudio(request.path, request.size) };
    }
    const { analyseAudio } = await import('./analyse.js');
    return { kind: 'analysed', result: await analyseAudio(request.path, request) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : 'unknown failure' };
  }
}
