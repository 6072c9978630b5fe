import { analyseAudio } from './analyse.js';
import type { AudioReply, AudioRequest } from './audio-messages.js';
import { probeAudio } from './probe.js';

/** The process that parses and decodes untrusted files; the parent limits its memory and time. */
async function answer(request: AudioRequest): Promise<AudioReply> {
  try {
    if (request.kind === 'probe') return { kind: 'probed', result: await probeAudio(request.path, request.size) };
    return { kind: 'analysed', result: await analyseAudio(request.path, request) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : 'unknown failure' };
  }
}

const send = (reply: AudioReply): void => {
  process.send?.(reply);
};

process.on('message', (request: AudioRequest) => void answer(request).then(send));
process.on('disconnect', () => process.exit(0));
send({ kind: 'ready' });
