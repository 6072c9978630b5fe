import { answerAudio } from './answer-audio.js';
import type { AudioReply, AudioRequest } from './audio-messages.js';

/** The process that parses and decodes untrusted files; the parent limits its memory and time. */
const send = (reply: AudioReply): void => {
  process.send?.(reply);
};

process.on('message', (request: AudioRequest) => void answerAudio(request).then(send));
process.on('disconnect', () => process.exit(0));
send({ kind: 'ready' });
