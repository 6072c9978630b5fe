import { answerAudio } from '../media/answer-audio.js';
import { AUDIO_PROGRAM } from '../media/audio-process.js';
import type { AudioReply, AudioRequest } from '../media/audio-messages.js';
import { type ChildOutcome, type ChildProgram, type LimitedChild, type Message, startChild, type StartChild } from '../platform/children/limited-child.js';

/** Answers as the audio process does, here: without its limits, and without the tenth of a second that its start takes. */
function audioChild(): LimitedChild<AudioRequest, AudioReply> {
  let isAlive = true;
  let end = (): void => undefined;
  const killed = new Promise<ChildOutcome<AudioReply>>((resolve) => (end = () => resolve({ kind: 'died' })));
  return {
    isAlive: () => isAlive,
    async kill() {
      isAlive = false;
      end();
    },
    run: (request) => Promise.race([answerAudio(request), killed]),
  };
}

/** Reads audio files in this process, for specs that are about what becomes of them; other programs have processes of their own. */
export const audioInProcess: StartChild = <Request extends object, Reply extends Message>(settings: ChildProgram) =>
  settings.program.href === AUDIO_PROGRAM.href ? (audioChild() as unknown as LimitedChild<Request, Reply>) : startChild<Request, Reply>(settings);
