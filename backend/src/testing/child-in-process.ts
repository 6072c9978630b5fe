import { answerAudio } from '../media/answer-audio.js';
import { AUDIO_PROGRAM } from '../media/audio-process.js';
import type { AudioRequest } from '../media/audio-messages.js';
import { type ChildOutcome, type ChildProgram, type LimitedChild, type Message, startChild, type StartChild } from '../platform/children/limited-child.js';
import { imageAnswers } from '../platform/images/image-answers.js';
import type { ImageRequest } from '../platform/images/image-messages.js';
import { IMAGE_PROGRAM } from '../platform/images/images.js';

type Answer = (request: unknown) => Promise<Message>;

/** What each child process does with its requests, which arrive without a type there too. */
const ANSWERS: Readonly<Record<string, () => Answer>> = {
  [AUDIO_PROGRAM.href]: () => (request) => answerAudio(request as AudioRequest),
  [IMAGE_PROGRAM.href]: () => {
    const answer = imageAnswers();
    return (request) => answer(request as ImageRequest);
  },
};

/** Answers as a child process does, in this one: without its limits, and without the tenths of a second that its start takes. */
function answering<Request extends object, Reply extends Message>(answer: Answer): LimitedChild<Request, Reply> {
  let isAlive = true;
  let end = (): void => undefined;
  const killed = new Promise<ChildOutcome<Reply>>((resolve) => (end = () => resolve({ kind: 'died' })));
  return {
    isAlive: () => isAlive,
    async kill() {
      isAlive = false;
      end();
    },
    run: (request) => Promise.race([answer(request) as Promise<Reply>, killed]),
  };
}

/** Reads audio and pictures in this process, for specs that are about what becomes of them. */
export const childInProcess: StartChild = <Request extends object, Reply extends Message>(settings: ChildProgram) => {
  const answer = ANSWERS[settings.program.href]?.();
  return answer === undefined ? startChild<Request, Reply>(settings) : answering<Request, Reply>(answer);
};
