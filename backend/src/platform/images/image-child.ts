import { imageAnswers } from './image-answers.js';
import type { ImageReply, ImageRequest } from './image-messages.js';
// Loaded before the first picture is sent: it takes longer than most pictures.
import './decoding.js';

/** The process that decodes one untrusted picture. Its bytes come in a message: the process may read no file but its program. */
const answer = imageAnswers();

const send = (reply: ImageReply): void => {
  process.send?.(reply);
};

process.on('message', (request: ImageRequest) => void answer(request).then(send));
process.on('disconnect', () => process.exit(0));
send({ kind: 'ready' });
