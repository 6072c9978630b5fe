import { Injectable } from '@nestjs/common';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { idFrom } from '../platform/ids.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ProjectErasure } from '../projects/project-erasure.streams.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UserStreams } from '../users/user.streams.js';
import { TutorialAudio } from './tutorial-audio.js';
import { tutorialPlan } from './tutorial-plan.js';

/** A user's tutorial project; `position` is that of its last event if it was created just now, else null. */
export interface Tutorial {
  readonly projectId: Id;
  readonly position: Position | null;
}

/** When it was asked for, in which request or for which event, and what ends the wait for the audio. */
interface Origin extends Pick<CommandContext, 'at' | 'correlationId' | 'causationId'> {
  readonly signal?: AbortSignal;
}

/** Gives users their tutorial projects. */
@Injectable()
export class Tutorials {
  constructor(
    private readonly users: UserStreams,
    private readonly streams: ProjectStreams,
    private readonly erasure: ProjectErasure,
    private readonly audio: TutorialAudio,
  ) {}

  /** The user's tutorial, or a new one if there is none or it was removed; restores missing audio. @throws Refused `user.not-found` for the guest too */
  async ensure(uid: Uid, { signal, ...origin }: Origin): Promise<Tutorial> {
    await this.requireUser(uid);
    const mixes = await this.audio.mixes(signal);
    const { generation, projectId, exists } = await this.latest(uid);
    if (exists) return { projectId, position: null };
    const context: CommandContext = { actor: { uid }, commandId: `tutorial-${generation}`, ...origin };
    const done = await this.streams.run(context, projectId, { type: 'CreateTutorial', data: tutorialPlan(projectId, mixes) });
    await this.undoIfErased(uid, origin.at);
    return { projectId, position: done.replayed ? null : done.position };
  }

  private async requireUser(uid: Uid): Promise<void> {
    const person = await this.users.person(uid);
    if (person === null || person.guest) throw new Refused('user.not-found');
  }

  /** The newest tutorial that exists, or the place for the next one. Their ids follow from the user's, so that two servers agree on them. */
  private async latest(uid: Uid): Promise<{ readonly generation: number; readonly projectId: Id; readonly exists: boolean }> {
    for (let generation = 1; ; generation += 1) {
      const projectId = idFrom('tutorial', uid, String(generation));
      const { exists, removed } = await this.streams.state(projectId);
      if (!removed) return { generation, projectId, exists };
    }
  }

  /** An erasure that began after the check above may have looked for the user's projects before this one existed. */
  private async undoIfErased(uid: Uid, at: Instant): Promise<void> {
    if ((await this.users.person(uid)) !== null) return;
    await this.erasure.eraseUser(uid, at);
    throw new Refused('user.not-found');
  }
}
